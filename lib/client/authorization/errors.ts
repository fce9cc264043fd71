// One file for the whole family, so that all errors of the entry are found and compared on one page; most lines are docstrings.

import { findUrl } from '../../core/oauth/secure-url.js';
import { isTransientStatus } from '../../core/oauth/http-status.js';
import { differBySlash } from '../../core/oauth/metadata.js';
import { formatScope } from '../../core/oauth/scope.js';
import { selectLoginFix, selectTokenFix } from './error-fixes.js';

/**
 * Every error of client authorization extends this one. It has a stable code, facts as properties, and a message that
 * names the fix. Neither contains a token, a code or a secret.
 *
 * @example
 * if (error instanceof ClientAuthError && error.code === 'login_refused') await offerLoginAgain();
 */
export abstract class ClientAuthError extends Error {
  /** Identifies the condition. It stays the same when messages change. */
  abstract readonly code: string;
}

/** Is thrown if a call must be sent again, but its body was a stream that has been read. */
export class BodyNotReplayableError extends ClientAuthError {
  override readonly name = 'BodyNotReplayableError';
  readonly code = 'body_not_replayable';

  constructor(readonly url: string) {
    super(
      `${quoteUrl(url)} asks for a token, but the body of the call was a stream and cannot be sent twice: give it as a text or as bytes, or call again`,
    );
  }
}

/** Is thrown if no browser can be opened on this machine. */
export class BrowserUnavailableError extends ClientAuthError {
  override readonly name = 'BrowserUnavailableError';
  readonly code = 'browser_unavailable';

  constructor(options?: ErrorOptions) {
    super('No browser can be opened here: open the address of the login yourself', options);
  }
}

/** Facts about a document that was not found. */
export interface DiscoveryProblem {
  /** The URL of the document. */
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly problem: string;
  /** The status of the response, if there was one. */
  readonly status?: number | undefined;
  /** Whether trying again later may help. @default inferred from the status */
  readonly isPassing?: boolean | undefined;
  /** The fix, as a sentence. @default to report it to the operator of the server, or to try again later if that may help */
  readonly advice?: string | undefined;
}

/** Is thrown if the metadata of a server or of its authorization server cannot be fetched. Nothing else is tried instead. */
export class DiscoveryFailedError extends ClientAuthError {
  override readonly name: string = 'DiscoveryFailedError';
  readonly code = 'discovery_failed';
  readonly url: string;
  /** What was wrong, as the end of a sentence that begins with the URL. */
  readonly problem: string;
  readonly status: number | undefined;

  constructor(found: DiscoveryProblem, options?: ErrorOptions) {
    const { url, problem, status, advice = selectDiscoveryAdvice(found) } = found;
    super(`Cannot find out where to log in: ${quoteUrl(url)} ${problem}. ${advice}`, options);
    this.url = url;
    this.problem = problem;
    this.status = status;
  }
}

function selectDiscoveryAdvice({
  status = 0,
  isPassing = isTransientStatus(status),
}: DiscoveryProblem): string {
  return isPassing
    ? 'Try again later, or tell the operator of the server'
    : 'Tell the operator of the server';
}

/** Is thrown before anything is sent over an insecure connection. */
export class InsecureEndpointError extends ClientAuthError {
  override readonly name = 'InsecureEndpointError';
  readonly code = 'insecure_endpoint';

  constructor(
    readonly url: string,
    /** The role of the URL, such as its metadata property. */
    readonly role: string,
  ) {
    super(
      `The "${role}" ${quoteUrl(url)} must be an "https:" URL; "http:" is for this machine alone, and for hosts that "insecureHosts" names`,
    );
  }
}

/** Is thrown if an authorization server or its response names an unexpected issuer. */
export class IssuerMismatchError extends ClientAuthError {
  override readonly name = 'IssuerMismatchError';
  readonly code = 'issuer_mismatch';

  constructor(
    readonly expected: string,
    /** The issuer that was named; absent if none was. */
    readonly found: string | undefined,
  ) {
    super(
      `The authorization server must name the issuer ${quoteValue(expected)}, and it is ${quoteValue(found)}: ${selectIssuerFix(expected, found)}`,
    );
  }
}

/** A trailing slash is rarely an attack: only if the two spellings belong to two parties. */
function selectIssuerFix(expected: string, found: string | undefined): string {
  const isSlash = found !== undefined && differBySlash(expected, found);
  return isSlash
    ? 'have the server name it as it names itself, or set "ignoreIssuerSlash"'
    : 'do not log in until the person who runs the server has explained it';
}

/** What is still missing after a login. */
export interface IneffectiveLogin {
  readonly serverUrl: string;
  readonly issuer: string;
  /** How the server refuses the token of the login. */
  readonly status: 401 | 403;
  /** The scopes that the server demands. */
  readonly demanded: readonly string[];
  /** The demanded scopes that the authorization server did not grant; empty if it reports that it granted all. */
  readonly missing: readonly string[];
  /** Milliseconds until another login may be tried. */
  readonly retryAfterMs: number;
}

/** Is thrown instead of starting another login, if the last one ended a moment ago without the scopes or the access that the server demands. */
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
      `${quoteUrl(serverUrl)} answers ${status} to the token of the login at ${quoteValue(issuer)} a moment ago: ${describe(login)}, and log in again; after ${Math.ceil(retryAfterMs / 1000)} s, the next call asks for a login again`,
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
  if (status === 401) return 'see whether the server takes tokens of that issuer, and for which audience';
  const wish = demanded.length === 0 ? 'more' : `the scopes ${quoteValue(formatScope(demanded))}`;
  const lack =
    missing.length === 0
      ? 'which the login asked for'
      : `of which the login did not bring ${quoteValue(formatScope(missing))}`;
  return `it demands ${wish}, ${lack}. Have them granted to you`;
}

/** Is thrown if the authorization server or the user refused a login. */
export class LoginRefusedError extends ClientAuthError {
  override readonly name = 'LoginRefusedError';
  readonly code = 'login_refused';

  constructor(
    readonly issuer: string,
    /** The error code, such as `access_denied` (RFC 6749 §4.1.2.1). */
    readonly error: string,
    /** The `error_description` of the authorization server. */
    readonly description?: string,
    options?: ErrorOptions,
  ) {
    super(
      `${quoteValue(issuer)} refused the login with ${quoteValue(error)}${description === undefined ? '' : ` (${quoteValue(description)})`}: ${selectLoginFix(error)}`,
      options,
    );
  }
}

/** Is thrown if the user did not return from the authorization server in time. */
export class LoginTimedOutError extends ClientAuthError {
  override readonly name = 'LoginTimedOutError';
  readonly code = 'login_timed_out';

  constructor(readonly timeoutMs: number) {
    super(
      `Nobody has finished the login within ${timeoutMs} ms: log in again, and look into the browser for the reason`,
    );
  }
}

/** Facts about a missing response. */
interface NoAnswerOptions extends ErrorOptions {
  /** Whether trying again later may help. @default true */
  readonly isPassing?: boolean | undefined;
}

/** Is thrown if the response of an authorization server is late, incomplete or too large, or its TLS connection cannot be trusted. */
export class NoAnswerError extends ClientAuthError {
  override readonly name = 'NoAnswerError';
  readonly code = 'no_answer';
  /** Whether trying again later may help. */
  readonly isPassing: boolean;

  constructor(
    readonly url: string,
    /** What was wrong, as the end of a sentence that begins with the URL. */
    readonly problem: string,
    { isPassing = true, ...options }: NoAnswerOptions = {},
  ) {
    super(`${quoteUrl(url)} ${problem}: ${isPassing ? 'try again later' : 'tell its operator'}`, options);
    this.isPassing = isPassing;
  }
}

/** Is thrown if a server names no authorization server: there is nowhere to log in. */
export class NoAuthorizationServerError extends DiscoveryFailedError {
  override readonly name = 'NoAuthorizationServerError';

  constructor(url: string, options?: ErrorOptions) {
    const problem = 'names no authorization server';
    const advice =
      'Use a fixed token ("StaticTokenSource"), or ask the operator of the server who gives tokens';
    super({ url, problem, advice }, options);
  }
}

/** Is thrown if a token is requested before the server has asked for one. */
export class NoTokenYetError extends ClientAuthError {
  override readonly name = 'NoTokenYetError';
  readonly code = 'no_token_yet';

  constructor() {
    super('There is no token yet: call the server first, since its answer says where to get one');
  }
}

/** Is thrown if an authorization server does not declare PKCE with S256: codes could be stolen. */
export class PkceUnsupportedError extends ClientAuthError {
  override readonly name = 'PkceUnsupportedError';
  readonly code = 'pkce_unsupported';

  constructor(
    readonly issuer: string,
    /** Whether it lists no methods at all. It may still support S256. @default false */
    readonly isSilent = false,
  ) {
    super(
      `The authorization server ${quoteValue(issuer)} must list "S256" in "code_challenge_methods_supported": have it support PKCE, or log in elsewhere${isSilent ? '; if you know that it checks S256 without saying so, name it in "assumeS256"' : ''}`,
    );
  }
}

/** Is thrown if a server sends its client to an address that is closer to the client than the server itself. */
export class PrivateAddressError extends ClientAuthError {
  override readonly name = 'PrivateAddressError';
  readonly code = 'private_address';

  constructor(
    readonly url: string,
    readonly serverUrl: string,
  ) {
    super(
      `${quoteUrl(serverUrl)} leads to ${quoteUrl(url)}, which is in a private network or on this machine: set "allowPrivateAddresses" if that is meant so`,
    );
  }
}

/** Is thrown if a server redirects a call. A token is never sent to the new address. */
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
      `${quoteUrl(url)} redirects to ${target}, and no redirect is followed with a token: if you trust it, use ${location === undefined ? quoteValue('another URL') : 'that URL'} as "serverUrl"`,
    );
  }
}

/** Is thrown if this machine cannot listen at the address to which the authorization server sends the user back. */
export class RedirectUnavailableError extends ClientAuthError {
  override readonly name = 'RedirectUnavailableError';
  readonly code = 'redirect_unavailable';

  constructor(
    readonly redirectUri: string,
    options?: ErrorOptions,
  ) {
    super(
      `Nothing can listen at ${quoteUrl(redirectUri)} for the end of the login: stop the program that listens there, or choose another "redirectUri"`,
      options,
    );
  }
}

/** Is thrown if there is no way to become a client of an authorization server. */
export class RegistrationUnavailableError extends ClientAuthError {
  override readonly name = 'RegistrationUnavailableError';
  readonly code = 'registration_unavailable';
  /** The HTTP status of the registration response, if there was one. */
  readonly status: number | undefined;

  constructor(
    readonly issuer: string,
    /** The attempts and why they failed, as the end of a sentence. */
    readonly problem: string,
    { status, ...options }: ErrorOptions & { readonly status?: number | undefined } = {},
  ) {
    super(
      `There is no client id for ${quoteValue(issuer)}: ${problem}. Register a client there and give its id as "clientId"`,
      options,
    );
    this.status = status;
  }
}

/** Is thrown if a server's metadata describes another resource: tokens would be issued for that one. */
export class ResourceMismatchError extends ClientAuthError {
  override readonly name = 'ResourceMismatchError';
  readonly code = 'resource_mismatch';

  constructor(
    readonly serverUrl: string,
    /** The resource that the metadata names; absent if it names none. */
    readonly resource: string | undefined,
  ) {
    super(
      `The metadata of ${quoteUrl(serverUrl)} has ${quoteValue(resource)} as "resource", which is not that server: use the URL that the server has for itself`,
    );
  }
}

/** Is thrown if a server refuses a call again with the same status, although a token was fetched for it. */
export class RetryExhaustedError extends ClientAuthError {
  override readonly name = 'RetryExhaustedError';
  readonly code = 'retry_exhausted';

  constructor(
    readonly serverUrl: string,
    readonly status: 401 | 403,
    /** The scopes that the server asks for. */
    readonly scopes: readonly string[],
  ) {
    const wish = scopes.length === 0 ? '' : `, and asks for ${quoteValue(formatScope(scopes))}`;
    const fix = status === 401 ? 'log in again' : 'have these scopes granted to you, or do without the call';
    super(`${quoteUrl(serverUrl)} answers ${status} to the token for this call${wish}: ${fix}`);
  }
}

/** Is reported if an authorization server does not revoke the tokens. */
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
      `${quoteUrl(revocationEndpoint)} answered with status ${status}${reason}: revoke the tokens there, or wait until they expire`,
    );
    this.status = status;
    this.error = error;
  }
}

/** Is thrown if an authorization response does not belong to the pending login: an attacker may have sent it. */
export class StateMismatchError extends ClientAuthError {
  override readonly name = 'StateMismatchError';
  readonly code = 'state_mismatch';

  constructor(readonly issuer: string) {
    super(
      `The answer that came back from ${quoteValue(issuer)} must have the "state" of this login, and has another: log in again, and finish no login that you did not begin`,
    );
  }
}

/** The response of a token endpoint that refused a request. */
export interface TokenRefusal {
  readonly tokenEndpoint: string;
  readonly status: number;
  /** The error code, such as `invalid_grant` (RFC 6749 §5.2). */
  readonly error: string;
  /** The `error_description` of the authorization server. */
  readonly description?: string | undefined;
  /** Whether the client authenticated with an assertion for the issuer. @default false */
  readonly isForIssuer?: boolean | undefined;
}

/** Is thrown if a token endpoint refuses to issue a token. */
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
      `${quoteUrl(tokenEndpoint)} gave no token but ${quoteValue(error)}${about} with status ${status}: ${selectTokenAdvice(refusal)}`,
      options,
    );
    this.status = status;
    this.error = error;
  }
}

function selectTokenAdvice({ status, error, isForIssuer = false }: TokenRefusal): string {
  if (isTransientStatus(status)) return 'try again later';
  const isAudience = isForIssuer && error === 'invalid_client';
  const further = isAudience ? '; if it takes no assertion for its issuer, set "assertionAudience"' : '';
  return `${selectTokenFix(error)}${further}`;
}

/** Is thrown if a token cannot be sent in a header. */
export class UnusableTokenError extends ClientAuthError {
  override readonly name = 'UnusableTokenError';
  readonly code = 'unusable_token';

  constructor(isEmpty = false) {
    super(
      isEmpty
        ? 'The token is empty: check that the variable that it comes from is set'
        : 'The token must consist of visible ASCII characters: give it without "Bearer", without spaces and without line breaks',
    );
  }
}

const LONGEST = 200;

/** Quotes a foreign value on one line, truncated if it is long. */
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
