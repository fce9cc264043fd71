import * as oauth from 'oauth4webapi';
import { isEmpty, omitEmpty } from '../omit-empty.js';
import { isScope, parseScope } from '../scope.js';
import { authenticateClient } from './client-authentication.js';
import type { ClientIdentity } from './client-identity.js';
import {
  redactSecrets,
  TokenEndpointError,
  type TokenSend,
  type TokenSendRequest,
} from './token-endpoint.error.js';
import { isHeaderWord } from '../../words/words.js';

/** A token endpoint's server. */
export interface TokenServer {
  /** A client assertion's audience. */
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** A request to a token endpoint. */
export interface TokenRequest {
  readonly server: TokenServer;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** The grant parameters. Empty and `undefined` ones are omitted; array items are sent separately. */
  readonly parameters: { readonly [name: string]: string | readonly string[] | undefined };
  readonly send: TokenSend;
}

/** A placeholder for a client without an ID, which is not sent. */
const UNNAMED: oauth.Client = { client_id: 'unnamed' };

/**
 * Requests a token from a token endpoint.
 *
 * @throws {TokenEndpointError} if it does not issue one
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 6749 §4.5, §5
 */
export async function requestToken(request: TokenRequest): Promise<TokenResponse> {
  const { server, client, grantType, send } = request;
  const as = { issuer: server.issuer, token_endpoint: server.token_endpoint };
  const authenticate = await authenticateClient(client, {
    endpoint: server.token_endpoint,
    supported: server.token_endpoint_auth_methods_supported,
  });
  const given = Object.entries(request.parameters).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((one) => (one === '' ? [] : [[name, one]])),
  );
  const sent: TokenSendRequest[] = [];
  const response = await oauth.genericTokenEndpointRequest(
    as,
    client.clientId === undefined ? UNNAMED : { client_id: client.clientId },
    authenticate,
    grantType,
    given,
    // The sender rejects an insecure URL.
    { [oauth.customFetch]: record(send, sent), [oauth.allowInsecureRequests]: true },
  );
  const hide = (text: string) => sent.reduce((hidden, one) => redactSecrets(hidden, client, one), text);
  return parseTokenResponse(response, hide);
}

/** The client's authentication is created only when the request is sent. */
function record(send: TokenSend, sent: TokenSendRequest[]): TokenSend {
  return (url, request) => {
    sent.push(request);
    return send(url, request);
  };
}

/** A token endpoint's response. */
export interface TokenResponse {
  readonly accessToken: string;
  /** The token type, in lower case. */
  readonly tokenType: string;
  /** The token for the next refresh. */
  readonly refreshToken: string | undefined;
  /** The kind of token that an exchange issued (RFC 8693 §2.2.1). */
  readonly issuedTokenType: string | undefined;
  readonly expiresInSeconds: number | undefined;
  /** The token's scopes; absent if they are the requested ones. */
  readonly scopes: readonly string[] | undefined;
}

type Members = { readonly [member: string]: unknown };

/** The supported token types; `n_a` is not an access token (RFC 8693 §2.2.1). */
const TOKEN_TYPES: ReadonlySet<string> = new Set(['bearer', 'dpop', 'n_a']);

/**
 * Parses a token endpoint's response from its content. A token counts with any success status, and an error with any
 * status.
 *
 * @param hide removes the request's secrets from a string
 * @throws {TokenEndpointError} if there is no token
 * @see RFC 6749 §5
 */
export async function parseTokenResponse(
  response: Response,
  hide: (text: string) => string,
): Promise<TokenResponse> {
  const { status, ok } = response;
  const members = omitEmpty(await readMembers(response));
  if (!ok || Boolean(members['error'])) throw createRefusal(status, members, hide);
  const answer = buildTokenResponse(members);
  // A malformed response may contain a token.
  if (answer === undefined)
    throw new TokenEndpointError(status, 'invalid_response', 'the response does not follow RFC 6749 §5.1');
  return answer;
}

/** Some endpoints respond with a form, like the request. Other media types do not matter. */
async function readMembers(response: Response): Promise<Members> {
  const text = await response.text().catch(() => '');
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(response.headers.get('content-type') ?? '');
  return parseObject(text) ?? (isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : {});
}

function parseObject(text: string): Members | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? { ...parsed }
      : undefined;
  } catch {
    return undefined;
  }
}

/** A token endpoint's error may quote the request. */
function createRefusal(
  status: number,
  { error, error_description: description, claims }: Members,
  hide: (text: string) => string,
): TokenEndpointError {
  return new TokenEndpointError(
    status,
    typeof error === 'string' ? hide(error) : 'invalid_response',
    typeof description === 'string' ? hide(description) : undefined,
    typeof claims === 'string' ? hide(claims) : undefined,
  );
}

/** Optional properties are used if they are valid. Only an invalid lifetime makes a token unusable. */
function buildTokenResponse(members: Members): TokenResponse | undefined {
  const { access_token: accessToken, token_type: type, issued_token_type: issued } = members;
  const { refresh_token: refreshToken, expires_in: expiresIn, scope } = members;
  const tokenType = typeof type === 'string' ? type.trim().toLowerCase() : '';
  const expiresInSeconds = readNumber(expiresIn);
  // A token that does not fit in a header could neither be used nor revoked.
  if (!isHeaderWord(accessToken)) return undefined;
  if (!TOKEN_TYPES.has(tokenType)) return undefined;
  if (Number.isNaN(expiresInSeconds)) return undefined;
  return {
    accessToken,
    tokenType,
    refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined,
    issuedTokenType: typeof issued === 'string' ? issued : undefined,
    // A negative lifetime is treated as unknown.
    expiresInSeconds: expiresInSeconds !== undefined && expiresInSeconds >= 0 ? expiresInSeconds : undefined,
    scopes: readScopes(scope),
  };
}

/** Many servers send numbers as strings. */
function readNumber(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

function readScopes(scope: unknown): readonly string[] | undefined {
  if (typeof scope === 'string') return parseScope(scope).filter(isScope);
  return Array.isArray(scope) ? scope.filter((one) => !isEmpty(one)).filter(isScope) : undefined;
}
