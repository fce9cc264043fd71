import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi';
import type { AuthorizationServerMetadata } from '../../../core/oauth/authorization-server-metadata.js';
import { formatScope, uniteScopes } from '../../../core/oauth/scope.js';
import { assertPkceSupported, getEndpoint } from '../discovery/server-metadata.js';
import { IssuerMismatchError, LoginRefusedError, StateMismatchError } from '../errors.js';

/** The purpose of a login. */
interface LoginWish {
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

/**
 * Parses the answer that a user came back with: first its issuer, then its login, and only then its content.
 *
 * @returns the parameters of the answer, which has a code
 * @throws {IssuerMismatchError} if it is another issuer's
 * @throws {StateMismatchError} if it belongs to another login
 * @throws {LoginRefusedError} if it has no code
 * @see RFC 9207 §2.4, RFC 6749 §4.1.2, §10.12
 */
export function parseAnswer(answer: URL, attempt: LoginAttempt): URLSearchParams {
  const { issuer } = attempt.authorizationServer;
  assertIssuer(answer.searchParams, attempt);
  const states = answer.searchParams.getAll('state');
  if (states.length !== 1 || states[0] !== attempt.state) throw new StateMismatchError(issuer);
  const parameters = validate(answer, attempt);
  if (parameters.get('code')) return parameters;
  throw new LoginRefusedError(issuer, 'invalid_response', 'the answer has no "code"');
}

/** Issuers are compared as they are written: a slash more is another one. */
function assertIssuer(parameters: URLSearchParams, { authorizationServer }: LoginAttempt): void {
  const { issuer, authorization_response_iss_parameter_supported: isPromised = false } = authorizationServer;
  // A parameter without a value counts as left out (RFC 6749 §3.1).
  const [found, ...more] = parameters.getAll('iss').filter((iss) => iss !== '');
  if (found === undefined && !isPromised) return;
  if (found !== issuer || more.length > 0) throw new IssuerMismatchError(issuer, found);
}

function validate(answer: URL, { authorizationServer, clientId, state }: LoginAttempt): URLSearchParams {
  const { issuer } = authorizationServer;
  try {
    return validateAuthResponse({ issuer }, { client_id: clientId }, answer, state);
  } catch (error) {
    // What it carries along may have a code in it.
    if (!(error instanceof AuthorizationResponseError)) {
      throw new LoginRefusedError(
        issuer,
        'invalid_response',
        'the answer does not belong to an authorization request',
      );
    }
    throw new LoginRefusedError(issuer, error.error, error.error_description);
  }
}

/** Further parameters of an authorization request, by their names on the wire. */
export type AuthorizationParameters = { readonly [name: string]: string };

/** Parameters that the login sets itself, or that would change how the answer comes back. */
const OWN: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
  'state',
  'resource',
  'scope',
  'response_mode',
  'request',
  'request_uri',
  'client_secret',
  'dpop_jkt',
]);

/**
 * Says what is wrong with further parameters of an authorization request, or returns `undefined` if they can be sent.
 * The text continues a sentence that begins with the name of a parameter.
 *
 * @see RFC 6749 §3.1, §8.2
 */
export function findParameterFault(
  parameters: AuthorizationParameters,
): { readonly name: string; readonly fault: string } | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    if (OWN.has(name)) return { name, fault: 'is set by the login itself' };
    if (!/^[\w.-]+$/.test(name)) return { name, fault: 'is no name of a parameter' };
    if (typeof value !== 'string') return { name, fault: 'must be a text' };
  }
  return undefined;
}

/**
 * Refuses parameters that a login cannot send.
 *
 * @throws {TypeError} with the name of the first
 */
export function assertAuthorizationParameters(parameters: AuthorizationParameters = {}): void {
  const found = findParameterFault(parameters);
  if (found === undefined) return;
  throw new TypeError(
    `The "authorizationParameters" must not have ${JSON.stringify(found.name)}: it ${found.fault}`,
  );
}

/** From where scopes come. */
interface ScopeSources {
  /** The scopes that the server asks for now. */
  readonly challenged: readonly string[];
  /** The scopes that the client always asks for. */
  readonly configured: readonly string[];
  /** The scopes that were asked for until now. */
  readonly requested: readonly string[];
  /** The scopes that the metadata of the server names. */
  readonly ofResource: readonly string[] | undefined;
  /** The scopes that the metadata of the authorization server names. */
  readonly ofAuthorizationServer: readonly string[] | undefined;
}

/** The scope by which clients ask for refresh tokens (OpenID Connect Core 1.0 §11). */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * Selects the scopes to ask for: those that the server asks for now, and all earlier ones. If there are none, it
 * selects all scopes of the server's metadata. Refresh tokens are asked for if the authorization server knows of a
 * scope for them.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function selectScopes(sources: ScopeSources): readonly string[] {
  const { challenged, configured, requested, ofResource = [], ofAuthorizationServer = [] } = sources;
  const named = uniteScopes(requested, configured, challenged);
  const all = named.length === 0 ? uniteScopes(ofResource) : named;
  // Without any scope an authorization server chooses its own, which that one would end.
  const canRefresh = all.length > 0 && ofAuthorizationServer.includes(OFFLINE_ACCESS);
  const chosen = all.filter((scope) => scope !== OFFLINE_ACCESS);
  return canRefresh ? [...chosen, OFFLINE_ACCESS] : chosen;
}
