import * as check from '../../../core/checks/option-checks.js';
import { optionGroup } from '../../../core/checks/option-group.js';
import { HTTP_ROWS, type ClientHttpOptions } from '../client-http.js';
import type { CredentialStore } from '../credentials/credential-store.js';
import type { DpopKey } from '../dpop.js';
import {
  REGISTRATION_ROWS,
  type OpenRegistrationOption,
  type RegistrationOptions,
} from '../registration/registrar.js';
import { assumedIssuers, dpop, scopes, url } from '../source-options.js';
import type { AuthorizationParameters } from './authorization-request.js';

/**
 * Directs the user to the authorization server, and returns the URL that the user was redirected to.
 *
 * @example
 * const authorizer: Authorizer = {
 *   redirectUri: 'https://app.example.com/callback',
 *   authorize: async (url) => pendingLogins.send(user, url),
 * };
 */
export interface Authorizer {
  /** The URL that the authorization server redirects the user to. */
  readonly redirectUri: string;

  /**
   * A `redirectUri` that only this login's issuer uses, for clients that register themselves.
   * @default redirectUri
   * @see RFC 9700 §4.4.2.2
   */
  readonly issuerRedirectUri?: string | undefined;

  /**
   * Lets the user open a URL, and returns the redirect URL, with its query. The caller validates that URL.
   */
  authorize(url: URL, options?: AuthorizeOptions): Promise<URL>;

  /** Called when the login ends, whether it succeeded or not. */
  close?(): Promise<void>;
}

/** Options of one login. */
export interface AuthorizeOptions {
  /** Aborts the login. */
  readonly signal?: AbortSignal | undefined;
}

/** How a user reaches the authorization server. */
export interface BrowserOptions {
  /**
   * The redirect URI on this machine. Without a port, a free one is used.
   * @default 'http://127.0.0.1/callback'
   */
  readonly redirectUri?: string | undefined;
  /** Opens a URL in the user's browser; rejects if there is none. @default the operating system's opener */
  readonly openBrowser?: ((url: string) => Promise<void>) | undefined;
  /** Shows the user the URL, if no browser could be opened. @default prints it to standard error */
  readonly present?: ((url: string) => void | Promise<void>) | undefined;
  /**
   * Reads the URL that a browser on another machine was redirected to, while the login waits; `undefined` if there is
   * none. The URL is validated like any authorization response.
   * @default the login only waits for a local browser
   */
  readonly readAnswer?: ((options: AuthorizeOptions) => Promise<string | undefined>) | undefined;
  /** How long the user may take to log in, in milliseconds. @default 300_000 */
  readonly loginTimeoutMs?: number | undefined;
  /** Directs the user to the authorization server without a browser on this machine. */
  readonly authorizer?: Authorizer | undefined;
}

/** Options of `OAuthTokenSource`. */
export interface OAuthTokenSourceOptions
  extends Omit<ClientHttpOptions, 'serverUrl'>, RegistrationOptions, BrowserOptions {
  /** The MCP server's URL. */
  readonly serverUrl: string | URL;
  /**
   * Scopes to request at each login, in addition to the scopes in challenges.
   * @default the scopes in the server's metadata, if its challenge names none
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Additional authorization request parameters, such as `audience`. Parameters that the login sets itself are
   * rejected.
   * @default {}
   */
  readonly authorizationParameters?: AuthorizationParameters | undefined;
  /**
   * The store of registrations and tokens. @default the user's files, with `new FileCredentialStore()`
   * @see docs/client.md, "Stored credentials"
   */
  readonly store?: CredentialStore | undefined;
  /** Chooses where to log in, if the server names several. @default the `issuer`, or else the first one */
  readonly selectIssuer?: ((issuers: readonly string[]) => string | undefined) | undefined;
  /** Issuers that check PKCE with S256 without declaring it, such as Entra ID and Cognito. @default [] @see docs/client.md, "Authorization servers that break a rule" */
  readonly assumeS256?: readonly string[] | undefined;
  /** Accepts an issuer that differs from the expected one only in a trailing slash. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
  /**
   * How long to wait after a login before starting another one for scopes that it did not obtain, in milliseconds. 0
   * allows another login immediately.
   * @default 300_000
   * @see docs/client.md, "Repeated logins"
   */
  readonly loginPauseMs?: number | undefined;
  /** Called with a warning for each safe default that you turn off. @default `process.emitWarning`, once for each in a process */
  readonly onWarning?: ((text: string) => void) | undefined;
  /** Binds tokens to this key, or to a generated key that is stored with the tokens (RFC 9449). @default only if the server's metadata requires bound tokens @see docs/dpop.md */
  readonly dpop?: boolean | DpopKey | undefined;
  /** Aborts all pending work, including a login. */
  readonly signal?: AbortSignal | undefined;
}

/** Login options without a fixed default. */
type OpenLoginOption =
  | OpenRegistrationOption
  | 'fetch'
  | 'openBrowser'
  | 'present'
  | 'readAnswer'
  | 'authorizer'
  | 'scopes'
  | 'store'
  | 'selectIssuer'
  | 'onWarning'
  | 'dpop'
  | 'signal';

/** The default of `redirectUri`, with a free port. */
export const REDIRECT_URI = 'http://127.0.0.1/callback';

/** The default of `loginTimeoutMs`. */
export const LOGIN_TIMEOUT_MS = 300_000;

/** The default of `loginPauseMs`. */
export const LOGIN_PAUSE_MS = 300_000;

export const OAUTH_TOKEN_SOURCE = optionGroup<OAuthTokenSourceOptions, OpenLoginOption>({
  ...HTTP_ROWS,
  ...REGISTRATION_ROWS,
  redirectUri: [check.nonEmptyString, REDIRECT_URI],
  openBrowser: check.callable,
  present: check.callable,
  readAnswer: check.callable,
  loginTimeoutMs: [check.milliseconds, LOGIN_TIMEOUT_MS],
  authorizer: check.object,
  serverUrl: check.required(url),
  scopes,
  authorizationParameters: [check.object, {}],
  store: check.object,
  selectIssuer: check.callable,
  assumeS256: [assumedIssuers, []],
  ignoreIssuerSlash: [check.flag, false],
  loginPauseMs: [check.notNegative, LOGIN_PAUSE_MS],
  onWarning: check.callable,
  dpop,
  signal: check.object,
});
