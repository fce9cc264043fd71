// This file contains the whole family, so all of the entry point's errors can be compared on one page; most lines are
// docstrings.

import { findUrl } from '../../core/oauth/secure-url.js';
import { isTransientStatus } from '../../core/oauth/http-status.js';
import { differBySlash } from '../../core/oauth/metadata.js';
import { formatScope } from '../../core/oauth/scope.js';
import { selectLoginFix, selectTokenFix } from './error-fixes.js';

/**
 * Every client authorization error extends this one. It has a stable code, facts as properties, and a message that
 * names the fix. Neither contains a token, a code or a secret.
 *
 * @example
 * if (error instanceof ClientAuthError && error.code === 'login_refused') await offerLoginAgain();
 */
export abstract class ClientAuthError extends Error {
  /** Identifies the condition. It stays the same when messages change. */
  abstract readonly code: string;
}

/** Thrown if a call must be resent, but its body was a stream that has been read. */
export class BodyNotReplayableError extends ClientAuthError {
  override readonly name = 'BodyNotReplayableError';
  readonly code = 'body_not_replayable';

  constructor(readonly url: string) {
    super(
      `${quoteUrl(url)} requires a token, but the request body was a stream and cannot be sent twice: pass it as a string or as bytes, or call again`,
    );
  }
}

/** Thrown if no browser can be opened on this machine. */
export class BrowserUnavailableError extends ClientAuthError {
  override readonly name = 'BrowserUnavailableError';
  readonly code = 'browser_unavailable';

  constructor(options?: ErrorOptions) {
    super('No browser can be opened on this machine: open the login URL yourself', options);
  }
}

/** Facts about a document that was not found. */
export interface DiscoveryProblem {
  /** The document URL. */
  readonly url: string;
  /** The problem, phrased to follow the URL. */
  readonly problem: string;
  /** The response status, if there was one. */
  readonly status?: number | undefined;
  /** Whether trying again later may help. @default inferred from the status */
  readonly isPassing?: boolean | undefined;
  /**
   * The fix, as a sentence. @default to report it to the server's operator, or to try again later if that may help
   */
  readonly advice?: string | undefined;
}

/** Thrown if the metadata of a server or its authorization server cannot be fetched. There is no fallback. */
export class DiscoveryFailedError extends ClientAuthError {
  override readonly name: string = 'DiscoveryFailedError';
  readonly code = 'discovery_failed';
  readonly url: string;
  /** The problem, phrased to follow the URL. */
  readonly problem: string;
  readonly status: number | undefined;

  constructor(found: DiscoveryProblem, options?: ErrorOptions) {
    const { url, problem, status, advice = selectDiscoveryAdvice(found) } = found;
    super(`Cannot determine where to log in: ${quoteUrl(url)} ${problem}. ${advice}`, options);
    this.url = url;
    this.problem = problem;
    this.status = status;
  }
}

function selectDiscoveryAdvice({
  status = 0,
  isPassing = isTransientStatus(status),
}: DiscoveryProblem): string {
  return isPassing ? 'Try again later, or contact the server operator' : 'Contact the server operator';
}

/** Thrown before anything is sent over an insecure connection. */
export class InsecureEndpointError extends ClientAuthError {
  override readonly name = 'InsecureEndpointError';
  readonly code = 'insecure_endpoint';

  constructor(
    readonly url: string,
    /** The role of the URL, such as its metadata property. */
    readonly role: string,
  ) {
    super(
      `The "${role}" ${quoteUrl(url)} must be an "https:" URL; "http:" is allowed only for this machine and for hosts in "insecureHosts"`,
    );
  }
}

/** Thrown if an authorization server or its response names an unexpected issuer. */
export class IssuerMismatchError extends ClientAuthError {
  override readonly name = 'IssuerMismatchError';
  readonly code = 'issuer_mismatch';

  constructor(
    readonly expected: string,
    /** The issuer that was named; absent if none was. */
    readonly found: string | undefined,
  ) {
    super(
      `The authorization server must have the issuer ${quoteValue(expected)}, but its issuer is ${quoteValue(found)}: ${selectIssuerFix(expected, found)}`,
    );
  }
}

/** A trailing slash is rarely an attack; it is one only if the two spellings belong to different parties. */
function selectIssuerFix(expected: string, found: string | undefined): string {
  const isSlash = found !== undefined && differBySlash(expected, found);
  return isSlash
    ? 'use the same spelling in both places, or set "ignoreIssuerSlash"'
    : 'do not log in until the server operator has explained the difference';
}

/** The missing scopes or access after a login. */
export interface IneffectiveLogin {
  readonly serverUrl: string;
  readonly issuer: string;
  /** The status that the server returns for the login's token. */
  readonly status: 401 | 403;
  /** The scopes that the server requires. */
  readonly demanded: readonly string[];
  /**
   * The required scopes that the authorization server did not grant; empty if it reports that it granted all of them.
   */
  readonly missing: readonly string[];
  /** Milliseconds until another login may be tried. */
  readonly retryAfterMs: number;
}

/**
 * Thrown instead of another login, if the last one ended recently without the scopes or the access that the server
 * requires.
 */
export class LoginIneffectiveError extends ClientAuthError {
  override readonly name = 'LoginIneffectiveError';
  readonly code = 'login_ineffective';
  readonly serverUrl: string;
  readonly issuer: string;
  readonly status: 401 | 403;
  readonly demanded: readonly string[];
  readonly missing: readonly string[];
  readonly retryAfterMs: number;

  constructor(login: IneffectiveLogin) {
    const { serverUrl, issuer, status, demanded, missing, retryAfterMs } = login;
    super(
      `${quoteUrl(serverUrl)} responds with ${status} to the token from the recent login at ${quoteValue(issuer)}: ${describe(login)}, and log in again; after ${Math.ceil(retryAfterMs / 1000)} s, the next call starts a new login`,
    );
    this.serverUrl = serverUrl;
    this.issuer = issuer;
    this.status = status;
    this.demanded = demanded;
    this.missing = missing;
    this.retryAfterMs = retryAfterMs;
  }
}

function describe({ status, demanded, missing }: IneffectiveLogin): string {
  if (status === 401)
    return 'check whether the server accepts tokens from that issuer, and for which audience';
  const wish = demanded.length === 0 ? 'more scopes' : `the scopes ${quoteValue(formatScope(demanded))}`;
  const lack =
    missing.length === 0
      ? 'which the login requested'
      : `of which the login did not obtain ${quoteValue(formatScope(missing))}`;
  return `it requires ${wish}, ${lack}. Have them granted to your account`;
}

/** Thrown if the authorization server or the user refused a login. */
export class LoginRefusedError extends ClientAuthError {
  override readonly name = 'LoginRefusedError';
  readonly code = 'login_refused';

  constructor(
    readonly issuer: string,
    /** The error code, such as `access_denied` (RFC 6749 §4.1.2.1). */
    readonly error: string,
    /** The authorization server's `error_description`. */
    readonly description?: string,
    options?: ErrorOptions,
  ) {
    super(
      `${quoteValue(issuer)} refused the login with ${quoteValue(error)}${description === undefined ? '' : ` (${quoteValue(description)})`}: ${selectLoginFix(error)}`,
      options,
    );
  }
}

/** Thrown if the user did not return from the authorization server in time. */
export class LoginTimedOutError extends ClientAuthError {
  override readonly name = 'LoginTimedOutError';
  readonly code = 'login_timed_out';

  constructor(readonly timeoutMs: number) {
    super(
      `The login was not completed within ${timeoutMs} ms: log in again, and check the browser for the reason`,
    );
  }
}

/** Facts about a response that did not arrive or cannot be used. */
interface NoAnswerOptions extends ErrorOptions {
  /** Whether trying again later may help. @default true */
  readonly isPassing?: boolean | undefined;
}

/**
 * Thrown if an authorization server's response is late, incomplete or too large, or its TLS connection cannot be
 * trusted.
 */
export class NoAnswerError extends ClientAuthError {
  override readonly name = 'NoAnswerError';
  readonly code = 'no_answer';
  /** Whether trying again later may help. */
  readonly isPassing: boolean;

  constructor(
    readonly url: string,
    /** The problem, phrased to follow the URL. */
    readonly problem: string,
    { isPassing = true, ...options }: NoAnswerOptions = {},
  ) {
    super(`${quoteUrl(url)} ${problem}: ${isPassing ? 'try again later' : 'contact its operator'}`, options);
    this.isPassing = isPassing;
  }
}

/** Thrown if a server does not name an authorization server, which makes a login impossible. */
export class NoAuthorizationServerError extends DiscoveryFailedError {
  override readonly name = 'NoAuthorizationServerError';

  constructor(url: string, options?: ErrorOptions) {
    const problem = 'does not name an authorization server';
    const advice = 'Use a fixed token ("StaticTokenSource"), or ask the server operator where to get tokens';
    super({ url, problem, advice }, options);
  }
}

/** Thrown if a token is requested before the server has required one. */
export class NoTokenYetError extends ClientAuthError {
  override readonly name = 'NoTokenYetError';
  readonly code = 'no_token_yet';

  constructor() {
    super('There is no token yet: call the server first, because its response shows where to get one');
  }
}

/** Thrown if an authorization server does not declare PKCE with S256, without which codes could be stolen. */
export class PkceUnsupportedError extends ClientAuthError {
  override readonly name = 'PkceUnsupportedError';
  readonly code = 'pkce_unsupported';

  constructor(
    readonly issuer: string,
    /** Whether it lists no methods at all. It may still support S256. @default false */
    readonly isSilent = false,
  ) {
    super(
      `The authorization server ${quoteValue(issuer)} must list "S256" in "code_challenge_methods_supported": enable PKCE there, or log in elsewhere${isSilent ? '; if you know that it enforces S256 without declaring it, add it to "assumeS256"' : ''}`,
    );
  }
}

/** Thrown if a server directs its client to an address that is closer to the client than the server itself. */
export class PrivateAddressError extends ClientAuthError {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private_address';

  constructor(
    readonly url: string,
    readonly serverUrl: string,
  ) {
    super(
      `${quoteUrl(serverUrl)} points to ${quoteUrl(url)}, which is on a private network or on this machine: set "allowPrivateAddresses" if that is intended`,
    );
  }
}

/** Thrown if a server redirects a call. A token is never sent to the new address. */
export class RedirectRefusedError extends ClientAuthError {
  override readonly name = 'RedirectRefusedError';
  readonly code = 'redirect_refused';

  constructor(
    readonly url: string,
    /** The target of the redirect; absent if the response names none. */
    readonly location: string | undefined,
  ) {
    const target = location === undefined ? 'nowhere' : quoteUrl(location);
    super(
      `${quoteUrl(url)} redirects to ${target}, but redirects are not followed with a token: if you trust the target, use ${location === undefined ? quoteValue('another URL') : 'that URL'} as "serverUrl"`,
    );
  }
}

/** Thrown if this machine cannot listen at the address that the authorization server redirects the user to. */
export class RedirectUnavailableError extends ClientAuthError {
  override readonly name = 'RedirectUnavailableError';
  readonly code = 'redirect_unavailable';

  constructor(
    readonly redirectUri: string,
    options?: ErrorOptions,
  ) {
    super(
      `Cannot listen at ${quoteUrl(redirectUri)} for the login redirect: stop the program that is using this address, or choose a different "redirectUri"`,
      options,
    );
  }
}

/** Thrown if there is no way to become a client of an authorization server. */
export class RegistrationUnavailableError extends ClientAuthError {
  override readonly name = 'RegistrationUnavailableError';
  readonly code = 'registration_unavailable';
  /** The HTTP status of the registration response, if there was one. */
  readonly status: number | undefined;

  constructor(
    readonly issuer: string,
    /** The attempts and why they failed, phrased to follow a colon. */
    readonly problem: string,
    { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(
      `There is no client ID for ${quoteValue(issuer)}: ${problem}. Register a client there, and pass its ID as "clientId"`,
      options,
    );
    this.status = status;
  }
}

/** Thrown if a server's metadata describes a different resource, which tokens would then be issued for. */
export class ResourceMismatchError extends ClientAuthError {
  override readonly name = 'ResourceMismatchError';
  readonly code = 'resource_mismatch';

  constructor(
    readonly serverUrl: string,
    /** The resource that the metadata names; absent if it names none. */
    readonly resource: string | undefined,
  ) {
    super(
      `The "resource" in the metadata of ${quoteUrl(serverUrl)} is ${quoteValue(resource)}, which does not match that URL: use the server's canonical URL`,
    );
  }
}

/** Thrown if a server rejects a call again with the same status, although the client fetched a token for it. */
export class RetryExhaustedError extends ClientAuthError {
  override readonly name = 'RetryExhaustedError';
  readonly code = 'retry_exhausted';

  constructor(
    readonly serverUrl: string,
    readonly status: 401 | 403,
    /** The scopes that the server requires. */
    readonly scopes: readonly string[],
  ) {
    const wish = scopes.length === 0 ? '' : `, and requires ${quoteValue(formatScope(scopes))}`;
    const fix =
      status === 401 ? 'log in again' : 'have these scopes granted to your account, or do not make this call';
    super(`${quoteUrl(serverUrl)} responds with ${status} to the token for this call${wish}: ${fix}`);
  }
}

/** Reported if an authorization server does not revoke the tokens. */
export class RevocationRefusedError extends ClientAuthError {
  override readonly name = 'RevocationRefusedError';
  readonly code = 'revocation_refused';
  readonly status: number;
  /** The error code, such as `invalid_client` (RFC 7009 §2.2.1); absent if the response contains none. */
  readonly error: string | undefined;

  constructor(
    revocationEndpoint: string,
    { status, error }: { readonly status: number; readonly error: string | undefined },
  ) {
    const reason = error === undefined ? '' : ` and "${error}"`;
    super(
      `${quoteUrl(revocationEndpoint)} responded with status ${status}${reason}: revoke the tokens there, or wait until they expire`,
    );
    this.status = status;
    this.error = error;
  }
}

/** Thrown if an authorization response does not belong to the pending login: an attacker may have sent it. */
export class StateMismatchError extends ClientAuthError {
  override readonly name = 'StateMismatchError';
  readonly code = 'state_mismatch';

  constructor(readonly issuer: string) {
    super(
      `The response from ${quoteValue(issuer)} must have the "state" of this login, but has a different one: log in again, and do not complete a login that you did not start`,
    );
  }
}

/** The response from a token endpoint that refused a request. */
export interface TokenRefusal {
  readonly tokenEndpoint: string;
  readonly status: number;
  /** The error code, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;
  /** The authorization server's `error_description`. */
  readonly description?: string | undefined;
  /** Whether the client authenticated with an assertion for the issuer. @default false */
  readonly isForIssuer?: boolean | undefined;
}

/** Thrown if a token endpoint refuses to issue a token. */
export class TokenRequestRefusedError extends ClientAuthError {
  override readonly name = 'TokenRequestRefusedError';
  readonly code = 'token_request_refused';
  readonly status: number;
  /** The error code, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;

  constructor(refusal: TokenRefusal, options?: ErrorOptions) {
    const { tokenEndpoint, status, error, description } = refusal;
    const about = description === undefined ? '' : ` (${quoteValue(description)})`;
    super(
      `${quoteUrl(tokenEndpoint)} refused the token request with ${quoteValue(error)}${about} and status ${status}: ${selectTokenAdvice(refusal)}`,
      options,
    );
    this.status = status;
    this.error = error;
  }
}

function selectTokenAdvice({ status, error, isForIssuer = false }: TokenRefusal): string {
  if (isTransientStatus(status)) return 'try again later';
  const isAudience = isForIssuer && error === 'invalid_client';
  const further = isAudience
    ? '; if it does not accept assertions for its issuer, set "assertionAudience"'
    : '';
  return `${selectTokenFix(error)}${further}`;
}

/** Thrown if a token cannot be sent in a header. */
export class UnusableTokenError extends ClientAuthError {
  override readonly name = 'UnusableTokenError';
  readonly code = 'unusable_token';

  constructor(isEmpty = false) {
    super(
      isEmpty
        ? 'The token is empty: make sure that the variable that contains it is set'
        : 'The token must consist of visible ASCII characters: remove "Bearer", spaces and line breaks',
    );
  }
}

const LONGEST = 200;

/** Quotes an untrusted value on one line, truncated if it is long. */
export function quoteValue(value: unknown): string {
  if (value === undefined) return 'absent';
  const quoted =
    typeof value === 'string' ? JSON.stringify(value.slice(0, LONGEST + 1)) : `a ${typeof value}`;
  return quoted.length <= LONGEST ? quoted : `${quoted.slice(0, LONGEST)}…"`;
}

/** Quotes a URL without the parts that may be secret: user, password, query and fragment. */
export function quoteUrl(url: string | URL): string {
  const found = findUrl(String(url));
  if (found === undefined) return quoteValue(String(url));
  const { protocol, host, pathname } = found;
  return quoteValue(`${protocol}//${host}${pathname}`);
}
