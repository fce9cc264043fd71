import {
  AuthorizationResponseError,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomState,
  validateAuthResponse,
} from 'oauth4webapi';
import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import { formatScope, mergeScopes } from '../../../core/oauth/scope.js';
import { assertPkceSupported, getEndpoint } from '../discovery/server-metadata.js';
import { IssuerMismatchError, LoginRefusedError, StateMismatchError } from '../errors.js';

/** A login's parameters. */
interface LoginParameters {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** The server that the token is intended for. */
  readonly resource: string;
  readonly insecureHosts?: readonly string[] | undefined;
  /** Issuers that check PKCE with S256 without declaring it. @default [] */
  readonly assumeS256?: readonly string[] | undefined;
  /** Additional request parameters. @default {} */
  readonly parameters?: AuthorizationParameters | undefined;
}

/** A pending login, with the secrets that verify its response. */
export interface LoginAttempt extends LoginParameters {
  /** The URL that the user opens. */
  readonly url: URL;
  readonly state: string;
  readonly codeVerifier: string;
}

/**
 * Starts a login with the authorization code grant.
 *
 * @throws {PkceUnsupportedError} if the authorization server does not declare PKCE with S256
 * @see RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1
 */
export async function beginLogin(login: LoginParameters): Promise<LoginAttempt> {
  const { authorizationServer, clientId, redirectUri, scopes, resource, parameters: added = {} } = login;
  assertPkceSupported(authorizationServer, login);
  const url = new URL(getEndpoint(authorizationServer, 'authorization_endpoint', login.insecureHosts));
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
    // Without consent, the scope is ignored (OpenID Connect Core 1.0 §11).
    ...(scopes.includes(OFFLINE_ACCESS) && { prompt: addConsent(added['prompt']) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { ...login, url, state, codeVerifier };
}

/** Adds `consent` to a `prompt`, unless it is `none`. */
function addConsent(prompt = ''): string {
  const wishes = prompt.split(' ').filter((wish) => wish !== '');
  return wishes.includes('none') ? prompt : [...new Set([...wishes, 'consent'])].join(' ');
}

/**
 * Parses the authorization response that a user returned with: first its issuer, then its login, and only then its
 * content.
 *
 * @returns the response parameters, which include a code
 * @throws {IssuerMismatchError} if it is from a different issuer
 * @throws {StateMismatchError} if it belongs to a different login
 * @throws {LoginRefusedError} if it has no code
 * @see RFC 9207 §2.4, RFC 6749 §4.1.2, §10.12
 */
export function parseAuthorizationResponse(answer: URL, attempt: LoginAttempt): URLSearchParams {
  const { issuer } = attempt.authorizationServer;
  assertIssuer(answer.searchParams, attempt);
  const states = answer.searchParams.getAll('state');
  if (states.length !== 1 || states[0] !== attempt.state) throw new StateMismatchError(issuer);
  const parameters = validate(answer, attempt);
  if (parameters.get('code')) return parameters;
  throw new LoginRefusedError(issuer, 'invalid_response', 'the response has no "code"');
}

/** Issuers are compared as strings, so a trailing slash makes a different issuer. */
function assertIssuer(parameters: URLSearchParams, { authorizationServer }: LoginAttempt): void {
  const { issuer, authorization_response_iss_parameter_supported: isPromised = false } = authorizationServer;
  // A parameter without a value counts as omitted (RFC 6749 §3.1).
  const [found, ...more] = parameters.getAll('iss').filter((iss) => iss !== '');
  if (found === undefined && !isPromised) return;
  if (found !== issuer || more.length > 0) throw new IssuerMismatchError(issuer, found);
}

function validate(answer: URL, { authorizationServer, clientId, state }: LoginAttempt): URLSearchParams {
  const { issuer } = authorizationServer;
  try {
    return validateAuthResponse({ issuer }, { client_id: clientId }, answer, state);
  } catch (error) {
    // The error may contain the code.
    if (!(error instanceof AuthorizationResponseError)) {
      throw new LoginRefusedError(
        issuer,
        'invalid_response',
        'the response does not belong to an authorization request',
      );
    }
    throw new LoginRefusedError(issuer, error.error, error.error_description);
  }
}

/** Additional authorization request parameters, with their wire names. */
export type AuthorizationParameters = { readonly [name: string]: string };

/** Parameters that the login sets itself, or that would change how the response is delivered. */
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
 * Finds the first invalid parameter of an authorization request. Returns `undefined` if all can be sent. The problem
 * is phrased to follow the parameter name.
 *
 * @see RFC 6749 §3.1, §8.2
 */
export function findParameterProblem(
  parameters: AuthorizationParameters,
): { readonly name: string; readonly problem: string } | undefined {
  for (const [name, value] of Object.entries(parameters)) {
    if (OWN.has(name)) return { name, problem: 'is set by the login itself' };
    if (!/^[\w.-]+$/.test(name)) return { name, problem: 'is not a parameter name' };
    if (typeof value !== 'string') return { name, problem: 'must be a string' };
  }
  return undefined;
}

/**
 * Rejects parameters that a login cannot send.
 *
 * @throws {TypeError} that names the first one
 */
export function assertAuthorizationParameters(parameters: AuthorizationParameters = {}): void {
  const found = findParameterProblem(parameters);
  if (found === undefined) return;
  throw new TypeError(
    `The "authorizationParameters" must not contain ${JSON.stringify(found.name)}: it ${found.problem}`,
  );
}

/** The sources of scopes. */
interface ScopeSources {
  /** The scopes of the current challenge. */
  readonly challenged: readonly string[];
  /** The scopes that the client always requests. */
  readonly configured: readonly string[];
  /** The scopes requested so far. */
  readonly requested: readonly string[];
  /** The scopes in the server's metadata. */
  readonly ofResource: readonly string[] | undefined;
  /** The scopes in the authorization server's metadata. */
  readonly ofAuthorizationServer: readonly string[] | undefined;
}

/** The scope that clients use to request refresh tokens (OpenID Connect Core 1.0 §11). */
export const OFFLINE_ACCESS = 'offline_access';

/**
 * Selects the scopes to request: the challenge's scopes, and all earlier ones. If there are none, it selects all
 * scopes in the server's metadata. It adds `offline_access` if the authorization server supports it.
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function selectScopes(sources: ScopeSources): readonly string[] {
  const { challenged, configured, requested, ofResource = [], ofAuthorizationServer = [] } = sources;
  const named = mergeScopes(requested, configured, challenged);
  const all = named.length === 0 ? mergeScopes(ofResource) : named;
  // Without scopes, the authorization server chooses them. Adding only `offline_access` would replace its choice.
  const canRefresh = all.length > 0 && ofAuthorizationServer.includes(OFFLINE_ACCESS);
  const chosen = all.filter((scope) => scope !== OFFLINE_ACCESS);
  return canRefresh ? [...chosen, OFFLINE_ACCESS] : chosen;
}
