import * as oauth from 'oauth4webapi';
import { isScope, parseScope } from '../scope.js';
import { authenticateClient } from './authenticate-client.js';
import type { ClientIdentity } from './client-identity.js';
import { hideSecrets } from './hide-secrets.js';
import { TokenEndpointError } from './token-endpoint.error.js';
import type { TokenSend, TokenSendRequest } from './token-send.interface.js';

/** Where tokens are asked for. */
export interface TokenServer {
  /** Who an assertion of the client is for. */
  readonly issuer: string;
  readonly token_endpoint: string;
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** What is asked of a token endpoint. */
export interface TokenRequest {
  readonly server: TokenServer;
  readonly client: ClientIdentity;
  readonly grantType: string;
  /** The parameters of the grant; what is `undefined` or empty is left out. */
  readonly parameters: { readonly [name: string]: string | undefined };
  readonly send: TokenSend;
}

/** What a token endpoint gave. */
export interface TokenAnswer {
  readonly accessToken: string;
  /** How the token is sent, in lower case. */
  readonly tokenType: string;
  /** By what the next one is got. */
  readonly refreshToken: string | undefined;
  /** What kind of token an exchange gave (RFC 8693 §2.2.1). */
  readonly issuedTokenType: string | undefined;
  readonly expiresInSeconds: number | undefined;
  /** The scopes of the token; absent where they are the ones that were asked for. */
  readonly scopes: readonly string[] | undefined;
}

/** Stands for a client without a name, which is not sent. */
const UNNAMED: oauth.Client = { client_id: 'unnamed' };

/**
 * Asks a token endpoint for a token.
 *
 * @throws {TokenEndpointError} where it gives none
 * @throws {TypeError} where the client's key cannot sign
 * @see RFC 6749 §4.5, §5
 */
export async function requestToken(request: TokenRequest): Promise<TokenAnswer> {
  const { server, client, grantType, send } = request;
  const as = { issuer: server.issuer, token_endpoint: server.token_endpoint };
  const authenticate = await authenticateClient(client, {
    endpoint: server.token_endpoint,
    supported: server.token_endpoint_auth_methods_supported,
  });
  const given = Object.entries(request.parameters).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  const sent: TokenSendRequest[] = [];
  const response = await oauth.genericTokenEndpointRequest(
    as,
    client.clientId === undefined ? UNNAMED : { client_id: client.clientId },
    authenticate,
    grantType,
    given,
    // Whoever sends refuses what is insecure.
    { [oauth.customFetch]: record(send, sent), [oauth.allowInsecureRequests]: true },
  );
  const hide = (text: string) => sent.reduce((hidden, one) => hideSecrets(hidden, client, one), text);
  if (response.status !== 200) throw await readRefusal(response, hide);
  return readAnswer(as, response);
}

/** What a client shows for itself is made while it is sent. */
function record(send: TokenSend, sent: TokenSendRequest[]): TokenSend {
  return (url, request) => {
    sent.push(request);
    return send(url, request);
  };
}

/** What a token endpoint says may quote what it was sent. */
async function readRefusal(response: Response, hide: (text: string) => string): Promise<TokenEndpointError> {
  const { status } = response;
  const { error, error_description: description, claims } = await readMembers(response);
  return new TokenEndpointError(
    status,
    typeof error === 'string' && error !== '' ? hide(error) : 'invalid_response',
    typeof description === 'string' ? hide(description) : undefined,
    typeof claims === 'string' ? hide(claims) : undefined,
  );
}

async function readMembers(response: Response): Promise<{ readonly [member: string]: unknown }> {
  try {
    return Object(await response.json()) as { readonly [member: string]: unknown };
  } catch {
    return {};
  }
}

async function readAnswer(as: oauth.AuthorizationServer, response: Response): Promise<TokenAnswer> {
  const answer = await judge(as, response);
  const { access_token: accessToken, token_type: tokenType, issued_token_type: issued } = answer;
  return {
    accessToken,
    tokenType,
    refreshToken: answer.refresh_token,
    issuedTokenType: typeof issued === 'string' ? issued : undefined,
    expiresInSeconds: answer.expires_in,
    scopes: answer.scope === undefined ? undefined : parseScope(answer.scope).filter(isScope),
  };
}

async function judge(
  as: oauth.AuthorizationServer,
  response: Response,
): Promise<oauth.TokenEndpointResponse> {
  // Nothing hangs on who the user is, and clocks that go wrong would have identity tokens refused.
  const { id_token: _identity, ...members } = await readMembers(response);
  const answer = new Response(JSON.stringify(members), { headers: response.headers });
  try {
    return await oauth.processGenericTokenEndpointResponse(as, UNNAMED, answer, {
      // What an exchange gives may be no access token (RFC 8693 §2.2.1).
      recognizedTokenTypes: { n_a: () => undefined },
    });
  } catch {
    // The error would hold the answer, and the answer may hold a token.
    throw new TokenEndpointError(response.status, 'invalid_response', 'the answer is none of RFC 6749 §5.1');
  }
}
