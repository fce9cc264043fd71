import { formatScope } from '../../../core/oauth/scope.js';
import { ClientAuthError } from './client-auth.error.js';
import { quoteText, quoteUrl } from './quote.js';

/** What is still missing after a login. */
export interface VainLogin {
  readonly serverUrl: string;
  readonly issuer: string;
  /** How the server refuses the token of the login. */
  readonly status: 401 | 403;
  /** The scopes that the server demands. */
  readonly demanded: readonly string[];
  /** The demanded scopes that the authorization server did not grant; empty if it says that it granted all. */
  readonly missing: readonly string[];
  /** Milliseconds until another login may be tried. */
  readonly retryAfterMs: number;
}

/** Is thrown instead of starting another login, if the last one ended a moment ago without what the server demands. */
export class LoginInVainError extends ClientAuthError {
  override readonly name = 'LoginInVainError';
  readonly code = 'login_in_vain';
  readonly serverUrl: string;
  readonly issuer: string;
  readonly status: 401 | 403;
  readonly demanded: readonly string[];
  readonly missing: readonly string[];
  readonly retryAfterMs: number;

  constructor(login: VainLogin) {
    const { serverUrl, issuer, status, demanded, missing, retryAfterMs } = login;
    super(
      `${quoteUrl(serverUrl)} answers ${status} to the token of the login at ${quoteText(issuer)} a moment ago: ${describe(login)}, and log in again; after ${Math.ceil(retryAfterMs / 1000)} s, the next call asks for a login again`,
    );
    this.serverUrl = serverUrl;
    this.issuer = issuer;
    this.status = status;
    this.demanded = demanded;
    this.missing = missing;
    this.retryAfterMs = retryAfterMs;
  }
}

function describe({ status, demanded, missing }: VainLogin): string {
  if (status === 401) return 'see whether the server takes tokens of that issuer, and for which audience';
  const wish = demanded.length === 0 ? 'more' : `the scopes ${quoteText(formatScope(demanded))}`;
  const lack =
    missing.length === 0
      ? 'which the login asked for'
      : `of which the login did not bring ${quoteText(formatScope(missing))}`;
  return `it demands ${wish}, ${lack}. Have them granted to you`;
}
