import { isRepeated } from '../../../core/protocol/headers/repeated-header.js';
import type { AdapterRequest } from '../auth-state.js';

/** Where the token of a request came from. */
export interface TokenOrigin {
  /** The connection that the request came over. */
  readonly connection: object;
  /** The header `Authorization`, as it was sent. */
  readonly authorization: string;
  /** The request itself. */
  readonly request?: object;
}

/**
 * Finds where the token of a request comes from; nothing where there is none, or no telling. What HTTP/2 calls a socket is
 * another one for each request.
 */
export function findOrigin(request: AdapterRequest): TokenOrigin | undefined {
  const { socket: connection, httpVersionMajor } = request.raw ?? request;
  const authorization = findAuthorization(request);
  if (!connection || httpVersionMajor !== 1 || authorization === undefined) return undefined;
  return { connection, authorization, request };
}

/** Finds the one header of a request. Which of several counts is a matter of taste among servers and proxies, so none does. */
export function findAuthorization(request: AdapterRequest): string | undefined {
  const { authorization } = request.headers;
  const rawHeaders = request.rawHeaders ?? request.raw?.rawHeaders ?? [];
  return typeof authorization === 'string' && !isRepeated(rawHeaders, 'authorization')
    ? authorization
    : undefined;
}
