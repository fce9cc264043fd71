import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import type { TokenResponse } from '../../../core/oauth/token-endpoint/request-token.js';
import type { StoredRegistration } from '../credentials/credential-store.js';
import { getEndpoint } from '../discovery/server-metadata.js';
import type { DpopProof } from '../dpop.js';
import { assertSendable, requestGrant } from '../grants/request-grant.js';
import type { ClientHttp } from '../client-http.interface.js';
import { identifyClient } from '../registration/registrar.js';
import type { LoginAttempt } from './authorization-request.js';

/** The client that requests tokens, and its authorization server. */
export interface TokenRequester {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly registration: StoredRegistration;
  readonly http: ClientHttp;
  /** The key that the tokens are bound to; absent for bearer tokens. */
  readonly proof: DpopProof | undefined;
  readonly insecureHosts?: readonly string[] | undefined;
}

/** A refresh token, and the resource of its access tokens. */
export interface Refresh {
  readonly refreshToken: string;
  readonly resource: string;
}

/**
 * Exchanges a login's code for tokens.
 *
 * @param answer the authorization response's validated parameters
 * @throws {TokenRequestRefusedError} if the endpoint does not issue any
 * @see RFC 6749 §4.1.3, RFC 7636 §4.5, RFC 8707 §2.2
 */
export function exchangeCode(
  requester: TokenRequester,
  answer: URLSearchParams,
  { redirectUri, codeVerifier, resource }: LoginAttempt,
): Promise<TokenResponse> {
  return request(requester, 'authorization_code', {
    code: answer.get('code') ?? undefined,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    resource,
  });
}

/**
 * Exchanges a refresh token for tokens.
 *
 * @throws {TokenRequestRefusedError} if the endpoint does not issue any
 * @see RFC 6749 §6, RFC 8707 §2.2
 */
export function refreshTokens(
  requester: TokenRequester,
  { refreshToken, resource }: Refresh,
): Promise<TokenResponse> {
  return request(requester, 'refresh_token', { refresh_token: refreshToken, resource });
}

async function request(
  { authorizationServer, registration, http, proof, insecureHosts }: TokenRequester,
  grantType: string,
  parameters: { readonly [name: string]: string | undefined },
): Promise<TokenResponse> {
  const tokenEndpoint = getEndpoint(authorizationServer, 'token_endpoint', insecureHosts);
  const server = { ...authorizationServer, token_endpoint: tokenEndpoint };
  const buildParameters = async () => parameters;
  const client = identifyClient(registration);
  const target = { server, http };
  const answer = await requestGrant({ target, client, grantType, buildParameters, proof });
  assertSendable(answer, { tokenEndpoint, proof });
  return answer;
}
