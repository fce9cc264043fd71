import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi';
import { formatScope } from '../../../core/oauth/scope.js';
import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { assertPkceSupported, getEndpoint } from '../discovery/endpoints.js';
import type { AuthorizationParameters } from './authorization-parameters.js';
import { OFFLINE_ACCESS } from './select-scopes.js';

/** The purpose of a login. */
export interface LoginWish {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The server that the token is for. */
  readonly resource: string;
  readonly insecureHosts?: readonly string[] | undefined;
  /** Issuers that check PKCE with S256 without saying so. @default [] */
  readonly assumeS256?: readonly string[] | undefined;
  /** Further parameters of the request. @default {} */
  readonly parameters?: AuthorizationParameters | undefined;
}

/** A login that was begun, and what only its end is told. */
export interface LoginAttempt extends LoginWish {
  /** Where the user goes. */
  readonly url: URL;
  readonly state: string;
  readonly codeVerifier: string;
}

/**
 * Begins a login by the authorization code grant.
 *
 * @throws {PkceUnsupportedError} if the authorization server does not say that it checks PKCE with S256
 * @see RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1
 */
export async function beginLogin(wish: LoginWish): Promise<LoginAttempt> {
  const { authorizationServer, clientId, redirectUri, scopes, resource, parameters: added = {} } = wish;
  assertPkceSupported(authorizationServer, wish);
  const url = new URL(getEndpoint(authorizationServer, 'authorization_endpoint', wish.insecureHosts));
  const state = generateRandomState();
  const codeVerifier = generateRandomCodeVerifier();
  const parameters = {
    ...added,
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    resource,
    ...(scopes.length > 0 && { scope: formatScope(scopes) }),
    // Without it that scope is ignored (OpenID Connect Core 1.0 §11).
    ...(scopes.includes(OFFLINE_ACCESS) && { prompt: addConsent(added['prompt']) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { ...wish, url, state, codeVerifier };
}

/** A login that wants no page gets none. Other wishes are added. */
function addConsent(prompt = ''): string {
  const wishes = prompt.split(' ').filter((wish) => wish !== '');
  return wishes.includes('none') ? prompt : [...new Set([...wishes, 'consent'])].join(' ');
}
