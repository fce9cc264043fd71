import type { LoadTarget } from '../../cli/bench/wire/load-target.js';
import type { BenchWire, McpRequest } from '../../cli/bench/wire/mcp-request.js';
import { RequestBytes } from '../../cli/bench/wire/request-bytes.js';

/** The two kinds of protocol revision: a session opened by a handshake, or everything in each request. */
export type Wire = 'handshake' | 'perRequest';

export const PROTOCOL_VERSIONS: Record<Wire, string> = {
  handshake: '2025-11-25',
  perRequest: '2026-07-28',
};

export const WIRES: Record<Wire, BenchWire> = {
  handshake: { version: PROTOCOL_VERSIONS.handshake, isHandshake: true },
  perRequest: { version: PROTOCOL_VERSIONS.perRequest, isHandshake: false },
};

/** Headers by their names. */
export type Headers = Readonly<Record<string, string>>;

/** A server on this machine. */
export interface Server {
  readonly port: number;
  /** The token of each request, if the server is protected. */
  readonly token?: string | undefined;
}

/** How a request reaches a server. */
export interface Destination extends Server {
  readonly wire: Wire;
  /** The headers of its session. @default none */
  readonly session?: Headers | undefined;
}

export function buildTarget({ port, token }: Server): LoadTarget {
  const headers: Headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), isRemote: false, headers };
}

/** Creates a request that one connection sends over and over. */
export function createRequest({ wire, session, ...server }: Destination, request: McpRequest): RequestBytes {
  return new RequestBytes(buildTarget(server), request, { wire: WIRES[wire], session });
}
