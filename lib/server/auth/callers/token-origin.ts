import type { TokenScheme } from '../../../core/oauth/challenge.js';
import { isRepeated } from '../../../core/protocol/headers/repeated-header.js';
import type { AdapterRequest } from '../auth-state.js';

/** What brought a token. */
export interface TokenSource {
  /** The request, as the adapter has it. Anybody can invent tokens: the address of the request bounds how many are asked about. */
  readonly request?: object;
  /** The scheme of the token. @default 'Bearer' for a request */
  readonly scheme?: TokenScheme;
}

/** The source of a request's token, by which a returning caller is recognized. */
export interface TokenOrigin extends TokenSource {
  /** The connection that the request came over. */
  readonly connection: object;
  /** The header `Authorization`, as it was sent. */
  readonly authorization: string;
}

/**
 * Finds where the token of a request comes from. Returns `undefined` if there is none, or no telling. What HTTP/2 calls
 * a socket is another one for each request.
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
