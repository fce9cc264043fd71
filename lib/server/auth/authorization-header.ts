import type { TokenScheme } from '../../core/oauth/challenges.js';
import { isRepeated } from '../../core/protocol/headers/http-headers.js';
import type { AdapterRequest } from './auth-state.js';

/** A token's source. */
export interface TokenSource {
  /** The adapter's request. Its address limits how many invented tokens are checked. */
  readonly request?: object;
  /** The scheme of the token. @default 'Bearer' for a request */
  readonly scheme?: TokenScheme;
}

/** A token's source, with what is needed to recognize a returning caller. */
export interface TokenOrigin extends TokenSource {
  /** The request's connection. */
  readonly connection: object;
  /** The header `Authorization`, as it was sent. */
  readonly authorization: string;
}

/**
 * Finds the origin of a request's token. Returns `undefined` if there is no token, or over HTTP/2, where each request
 * has a different socket object.
 */
export function findTokenOrigin(request: AdapterRequest): TokenOrigin | undefined {
  const { socket: connection, httpVersionMajor } = request.raw ?? request;
  const authorization = findAuthorization(request);
  if (!connection || httpVersionMajor !== 1 || authorization === undefined) return undefined;
  return { connection, authorization, request };
}

/**
 * Returns the only `Authorization` header of a request. Servers and proxies disagree on which of several headers
 * applies, so none is accepted.
 */
export function findAuthorization(request: AdapterRequest): string | undefined {
  const { authorization } = request.headers;
  const rawHeaders = request.rawHeaders ?? request.raw?.rawHeaders ?? [];
  return typeof authorization === 'string' && !isRepeated(rawHeaders, 'authorization')
    ? authorization
    : undefined;
}

const FIX = 'send the token once, as "Authorization: Bearer <token>"';

/** The usual mistakes in the header. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^bearer\s+bearer(?:\s|$)/i, 'contains the scheme "Bearer" twice'],
  [/^bearer\s*$/i, 'has no token after "Bearer"'],
  [/^["']?bearer\b/i, 'is not "Bearer" followed by a space and a token'],
  [/^\S*$/, 'has no scheme'],
  [/^/, 'has an unsupported scheme'],
];

/**
 * Describes, for the log, what is wrong with an `Authorization` header without a token. The description contains no
 * part of the header.
 *
 * @param authorization absent if there are several
 */
export function explainAuthorization(authorization: string | undefined): string {
  const [, mistake] =
    authorization === undefined
      ? [undefined, 'was sent more than once']
      : (MISTAKES.find(([pattern]) => pattern.test(authorization)) ?? []);
  return `A request was rejected because its "Authorization" header ${mistake}: ${FIX}`;
}

/** The log line about a token in the query. */
export const TOKEN_IN_QUERY = `A request with an "access_token" in its query was rejected: ${FIX}`;

/**
 * Returns whether a request has a token in its query, where tokens are never accepted because URLs are logged.
 *
 * @see RFC 6750 §2.3, MCP 2026-07-28 basic/authorization, "Token Requirements"
 */
export function hasTokenInQuery({ url, raw }: AdapterRequest): boolean {
  const target = url ?? raw?.url ?? '';
  const start = target.indexOf('?');
  return start !== -1 && new URLSearchParams(target.slice(start)).has('access_token');
}
