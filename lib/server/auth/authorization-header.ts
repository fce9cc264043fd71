import type { TokenScheme } from '../../core/oauth/challenges.js';
import { isRepeated } from '../../core/protocol/headers/http-headers.js';
import type { AdapterRequest } from './auth-state.js';

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
export function findTokenOrigin(request: AdapterRequest): TokenOrigin | undefined {
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

const REMEDY = 'send it once, as "Authorization: Bearer <token>"';

/** What callers get wrong, and how it looks. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^bearer\s+bearer(?:\s|$)/i, 'names the scheme "Bearer" twice'],
  [/^bearer\s*$/i, 'has no token after "Bearer"'],
  [/^["']?bearer\b/i, 'is not "Bearer", a space and a token'],
  [/^\S*$/, 'names no scheme'],
  [/^/, 'is of a scheme that is not taken here'],
];

/**
 * Says for the log what is wrong with an `Authorization` header that brings no token. It says nothing of what stands in the
 * header.
 *
 * @param authorization nothing if there are several
 */
export function explainAuthorization(authorization: string | undefined): string {
  const [, mistake] =
    authorization === undefined
      ? [undefined, 'came several times']
      : (MISTAKES.find(([pattern]) => pattern.test(authorization)) ?? []);
  return `A request was refused whose "Authorization" header ${mistake}: ${REMEDY}`;
}

/** The same of a token that came in the query. */
export const TOKEN_IN_QUERY = `A request was refused whose query has an "access_token": ${REMEDY}`;

/**
 * Tells whether a request has a token in its query, if none is taken: URLs are written to logs.
 *
 * @see RFC 6750 §2.3, MCP 2026-07-28 basic/authorization, "Token Requirements"
 */
export function hasTokenInQuery({ url, raw }: AdapterRequest): boolean {
  const target = url ?? raw?.url ?? '';
  const start = target.indexOf('?');
  return start !== -1 && new URLSearchParams(target.slice(start)).has('access_token');
}
