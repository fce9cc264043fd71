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

/** What came of a question. */
export interface ProbeResponse extends CheckedResponse {
  /** The header of the session that it opened, if it did. */
  readonly session: GivenHeaders;
}

/** Talks to a server before it is measured, as every command does: with its logins, its tokens and its patience. */
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

  /** What every request to the server brings, so that it takes them. */
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
    // If the token does not allow one method, only that method is not measured. If the server refuses the token,
    // nothing is measured.
    if (status === 401) throw new RefusedError(status);
    const id = headers.get('mcp-session-id');
    const retryAfter = headers.get('retry-after') ?? undefined;
    return { status, response: answer, retryAfter, session: id === null ? {} : { 'mcp-session-id': id } };
  }

  /** Sends what is not answered. */
  async tell(wire: BenchWire, notification: McpRequest, session: GivenHeaders): Promise<void> {
    const response = await this.#send(this.server.url, {
      method: 'POST',
      headers: buildMessageHeaders(wire, notification, session),
      body: JSON.stringify(buildMessage(wire, notification)),
    });
    await response.body?.cancel();
  }

  /** Ends a session, and tells whether the server lets it go. */
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

  /** Keeps by what the last request said who calls: the load says the same. */
  #noteAuthorization(send: typeof fetch): typeof fetch {
    return (input, init = {}) => {
      const headers = new Headers(init.headers);
      if (headers.has('dpop')) {
        throw new MeasurementError(
          'The token is bound to a key, so each request would need its own proof: give a token without a key by "--token-env"',
        );
      }
      const authorization = headers.get('authorization');
      if (authorization !== null) this.#authorization['authorization'] = authorization;
      return send(input, init);
    };
  }
}

/** What ends an event. */
const BLANK_LINES = ['\r\n\r\n', '\n\n', '\r\r'];

const LONGEST_BLANK = 4;

/** Reads up to the response. The stream may continue after it. */
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
      // JSON is read to its end. An event is looked at once it has ended, and only then.
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
