import type { JsonObject } from '../../lib/core/protocol/json-rpc.js';
import { ResponseTooLargeError } from '../../lib/core/network/limited-fetch.js';
import { settleWithin } from '../../lib/core/async/timeouts.js';
import type { Terminal } from '../command.interface.js';
import { findResponse, ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { CLOSING_TIMEOUT_MS } from '../server/closing-timeout.js';
import { createHeaderFetch } from '../server/header-fetch.js';
import { LimitWaiting } from '../server/limit-waiting.js';
import type { GivenHeaders } from '../server/parse-header.js';
import { createServerFetch } from '../server/server-fetch.js';
import type { ServerOptions } from '../server/server-options.js';
import { createTokenSource } from '../server/token-source.js';
import { createSend } from '../server/http-link.js';
import { RefusedError } from './refused.error.js';
import type { BenchOptions } from './bench-options.js';
import { MeasurementError } from './measurement.error.js';
import type { CheckedResponse } from './wire/read-result.js';
import { buildMessage, buildMessageHeaders, type BenchWire, type McpRequest } from './wire/mcp-request.js';
import { LONGEST_BODY_BYTES, TOO_LONG } from './wire/raw-response.js';
import { createTargetFetch } from './wire/target-fetch.js';

/** The server to talk to, and whether it may be on another machine. */
export type ProbedServer = Pick<BenchOptions, 'server' | 'isRemote'>;

/** The response to a request. */
export interface ProbeResponse extends CheckedResponse {
  /** The session header, if the request opened one. */
  readonly session: GivenHeaders;
}

/** Sends requests to a server before it is measured, with the logins, tokens and retries of every command. */
export class ProbeConversation {
  readonly #send: typeof fetch;
  readonly #authorization: { [name: string]: string } = {};
  private readonly server: ServerOptions;

  constructor({ server, isRemote }: ProbedServer, terminal: Terminal) {
    this.server = server;
    const tokenSource = createTokenSource(server, terminal);
    const send = createTargetFetch({ url: server.url, isRemote });
    const begun = this.#noteAuthorization(createServerFetch(server, send));
    const waiting = new LimitWaiting(server.limitWaitMs, terminal);
    this.#send = waiting.createFetch(
      createSend({ server, tokenSource }, createHeaderFetch(begun, server.headers)),
    );
  }

  /** The headers that the server requires of every request. */
  get headers(): GivenHeaders {
    return { ...this.server.headers, ...this.#authorization };
  }

  async ask(
    wire: BenchWire,
    request: McpRequest,
    { session, signal }: { readonly session?: GivenHeaders; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<ProbeResponse> {
    const response = await this.#send(this.server.url, {
      method: 'POST',
      headers: buildMessageHeaders(wire, request, session),
      body: JSON.stringify(buildMessage(wire, request, 1)),
      ...(signal && { signal }),
    });
    const { status, headers } = response;
    const answer = await readAnswer(response);
    const tooLarge = ResponseTooLargeError.find(answer?.['error']);
    if (tooLarge !== undefined) throw tooLarge;
    // If the token does not allow one method, only that method is not measured. If the server rejects the token,
    // nothing is measured.
    if (status === 401) throw new RefusedError(status);
    const id = headers.get('mcp-session-id');
    const retryAfter = headers.get('retry-after') ?? undefined;
    return { status, response: answer, retryAfter, session: id === null ? {} : { 'mcp-session-id': id } };
  }

  /** Sends a notification. */
  async tell(wire: BenchWire, notification: McpRequest, session: GivenHeaders): Promise<void> {
    const response = await this.#send(this.server.url, {
      method: 'POST',
      headers: buildMessageHeaders(wire, notification, session),
      body: JSON.stringify(buildMessage(wire, notification)),
    });
    await response.body?.cancel();
  }

  /** Ends a session. Returns whether the server ended it. */
  async endSession(session: GivenHeaders): Promise<boolean> {
    let isEnded = false;
    const ending = this.#send(this.server.url, { method: 'DELETE', headers: session }).then((response) => {
      isEnded = response.ok;
      return response.body?.cancel();
    });
    await settleWithin(
      ending.catch(() => undefined),
      CLOSING_TIMEOUT_MS,
    );
    return isEnded;
  }

  /** Stores the last request's authorization, which the load reuses. */
  #noteAuthorization(send: typeof fetch): typeof fetch {
    return (input, init = {}) => {
      const headers = new Headers(init.headers);
      if (headers.has('dpop')) {
        throw new MeasurementError(
          'The token is bound to a key, so each request would need its own proof: pass a bearer token with "--token-env"',
        );
      }
      const authorization = headers.get('authorization');
      if (authorization !== null) this.#authorization['authorization'] = authorization;
      return send(input, init);
    };
  }
}

/** The delimiters between events. */
const BLANK_LINES = ['\r\n\r\n', '\n\n', '\r\r'];

const LONGEST_BLANK = 4;

/** Reads a stream up to the response, after which it may continue. */
async function readAnswer({ body }: Response): Promise<JsonObject | undefined> {
  if (body === null) return undefined;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let [tail, length] = ['', 0];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.byteLength;
      if (length > LONGEST_BODY_BYTES) throw new ProbeError(TOO_LONG);
      parts.push(decoder.decode(part.value, { stream: true }));
      const latest = tail + (parts.at(-1) ?? '');
      tail = latest.slice(1 - LONGEST_BLANK);
      // JSON is read completely. An event is parsed when it is complete.
      if (parts[0]?.startsWith('{') || !BLANK_LINES.some((blank) => latest.includes(blank))) continue;
      const text = parts.join('');
      const found = findResponse(text);
      if (found !== undefined) return found;
      parts = [text.slice(Math.max(...BLANK_LINES.map((blank) => text.lastIndexOf(blank))))];
    }
    return findResponse(parts.join(''));
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
