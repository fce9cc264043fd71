import type { TokenScheme } from '../../core/oauth/challenges.js';
import { isRepeated } from '../../core/protocol/headers/http-headers.js';
import type { AdapterRequest } from './auth-state.js';

/** The source of a token. */
export interface TokenSource {
  /** The adapter's request. Its address limits how many invented tokens are checked. */
  readonly request?: object;
  /** The scheme of the token. @default 'Bearer' for a request */
  readonly scheme?: TokenScheme;
}

/** The source of a token, with what is needed to recognize a returning caller. */
export interface TokenOrigin extends TokenSource {
  /** The connection of the request. */
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
 * counts, so none does.
 */
export function findAuthorization(request: AdapterRequest): string | undefined {
  const { authorization } = request.headers;
  const rawHeaders = request.rawHeaders ?? request.raw?.rawHeaders ?? [];
  return typeof authorization === 'string' && !isRepeated(rawHeaders, 'authorization')
    ? authorization
    : undefined;
}

const REMEDY = 'send it once, as "Authorization: Bearer <token>"';

/** The usual mistakes in the header. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^bearer\s+bearer(?:\s|$)/i, 'names the scheme "Bearer" twice'],
  [/^bearer\s*$/i, 'has no token after "Bearer"'],
  [/^["']?bearer\b/i, 'is not "Bearer", a space and a token'],
  [/^\S*$/, 'names no scheme'],
  [/^/, 'has a scheme that is not accepted'],
];

/**
 * Describes, for the log, what is wrong with an `Authorization` header without a token. The description contains
 * nothing of the header.
 *
 * @param authorization absent if there are several
 */
export function explainAuthorization(authorization: string | undefined): string {
  const [, mistake] =
    authorization === undefined
      ? [undefined, 'was sent several times']
      : (MISTAKES.find(([pattern]) => pattern.test(authorization)) ?? []);
  return `A request was refused whose "Authorization" header ${mistake}: ${REMEDY}`;
}

/** The log line about a token in the query. */
export const TOKEN_IN_QUERY = `A request was refused whose query has an "access_token": ${REMEDY}`;

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
