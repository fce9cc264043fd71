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

/** Node keeps the first of several headers of this name, and hides that there were more. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.length === name.length) count += 1;
  }
  // Few other names are as long, such as Cache-Control: most requests are told without reading one.
  return count > 1 && countHeaders(rawHeaders, name) > 1;
}

function countHeaders(rawHeaders: readonly string[], name: string): number {
  return rawHeaders.filter((candidate, index) => index % 2 === 0 && candidate.toLowerCase() === name).length;
}
