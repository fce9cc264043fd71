import type { GivenHeaders } from '../../server/parse-header.js';
import type { LoadTarget } from './load-target.js';
import { buildMessage, buildMessageHeaders } from './mcp-request.js';
import type { BenchWire, McpRequest } from './mcp-request.js';

/** All ids have the same length, so all requests do too. */
const FIRST_ID = 10_000_000;
const DIGITS = String(FIRST_ID).length;

const BEFORE_ID = '{"jsonrpc":"2.0","id":';

let lastId = FIRST_ID;

/** A request that is sent repeatedly with a different id. Only one connection uses it at a time. */
export class RequestBytes {
  readonly #bytes: Buffer;
  readonly #idOffset: number;

  constructor(target: LoadTarget, request: McpRequest, { wire, session }: RequestContext) {
    const body = JSON.stringify(buildMessage(wire, request, FIRST_ID));
    this.#bytes = buildBytes('POST', target, {
      headers: buildMessageHeaders(wire, request, session),
      body,
    });
    this.#idOffset = this.#bytes.length - Buffer.byteLength(body) + BEFORE_ID.length;
  }

  /** Returns the bytes of the next request. The following call overwrites them. */
  next(): { readonly bytes: Uint8Array; readonly id: number } {
    lastId += 1;
    this.#bytes.write(String(lastId), this.#idOffset, DIGITS, 'latin1');
    return { bytes: this.#bytes, id: lastId };
  }
}

/** How to send a request. */
export interface RequestContext {
  readonly wire: BenchWire;
  /** Its session's headers. @default none */
  readonly session?: GivenHeaders | undefined;
}

/** Builds the bytes of a notification. */
export function buildNotificationBytes(
  target: LoadTarget,
  notification: McpRequest,
  { wire, session }: RequestContext,
): Uint8Array {
  const body = JSON.stringify(buildMessage(wire, notification));
  return buildBytes('POST', target, { headers: buildMessageHeaders(wire, notification, session), body });
}

/** Builds the bytes of the request that ends a session. */
export function buildSessionEndBytes(target: LoadTarget, session: GivenHeaders): Uint8Array {
  return buildBytes('DELETE', target, { headers: session });
}

function buildBytes(
  method: string,
  { url, headers: own }: LoadTarget,
  { headers, body }: { readonly headers: GivenHeaders; readonly body?: string },
): Buffer {
  const lines = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`];
  const start = `${method} ${url.pathname}${url.search} HTTP/1.1`;
  return Buffer.from(
    `${[start, `host: ${url.host}`, ...lines, ...length].join('\r\n')}\r\n\r\n${body ?? ''}`,
  );
}
