import { isAssumed } from '../../lib/client/authorization/discovery/discover-mcp-auth.js';
import {
  type AuthorizationChallenge,
  ClientAuthError,
  type CredentialStore,
  discoverMcpAuth,
  type DiscoverOptions,
  type RequestProof,
  type TokenSource,
} from '../../lib/client/authorization/index.js';
import { parseScope } from '../../lib/core/oauth/scope.js';
import { quoteVisible } from '../visible-text.js';
import { formatLoginCommand, type NeededLogin } from './format-login-command.js';

/** Thrown if a server requires a token without naming an authorization server. */
class TokenNeededError extends ClientAuthError {
  override readonly name = 'TokenNeededError';
  readonly code = 'token_needed';

  constructor(readonly serverUrl: string) {
    super(
      'The server requires a token, but does not name an authorization server: pass a token with "--token-env" ("login" may still work if it is a 2025-03-26 server)',
    );
  }
}

/** Thrown if a server requires a login or more scopes, and there is no terminal for a login. */
export class LoginNeededError extends ClientAuthError {
  override readonly name = 'LoginNeededError';
  readonly code = 'login_needed';

  constructor(
    readonly login: NeededLogin,
    /** The required scopes that the stored login lacks; empty if there is no login. */
    readonly lacking: readonly string[] = [],
  ) {
    super(explain(lacking, formatLoginCommand(login)));
  }
}

function explain(lacking: readonly string[], command: string): string {
  if (lacking.length === 0) {
    return `The server requires a login: run the following command and try again, or pass a token with "--token-env"\n  ${command}`;
  }
  const named = lacking.map((scope) => quoteVisible(scope)).join(', ');
  const noun = lacking.length === 1 ? 'scope' : 'scopes';
  return `The login lacks the ${noun} ${named}: run the following command and try again, or pass a token with "--token-env"\n  ${command}`;
}

/** A login that may be stored. */
export interface StoredLogin {
  /** How the user would log in. */
  readonly login: NeededLogin;
  readonly store: CredentialStore;
  /** Relaxed checks of authorization servers. @default none */
  readonly leniency?: Pick<DiscoverOptions, 'insecureHosts' | 'ignoreIssuerSlash'>;
}

/** Provides the tokens of a stored login. Without a login, the client is not registered either. */
export class StoredLoginSource implements TokenSource {
  #challenge: AuthorizationChallenge | undefined;

  constructor(
    private readonly source: Required<
      Pick<TokenSource, 'token' | 'recall' | 'tokenForScopes' | 'respond' | 'confirm'>
    > &
      Pick<TokenSource, 'proof'>,
    private readonly stored: StoredLogin,
  ) {}

  get proof(): RequestProof | undefined {
    return this.source.proof;
  }

  token(): Promise<string> {
    return this.source.token();
  }

  recall(): Promise<string | undefined> {
    return this.source.recall();
  }

  confirm(token: string): void {
    this.source.confirm(token);
  }

  respond(challenge: AuthorizationChallenge): Promise<void> {
    this.#challenge = challenge;
    return this.source.respond(challenge);
  }

  /**
   * @throws {LoginNeededError} if the user must log in, initially or for more scopes
   * @throws {TokenNeededError} if the server does not name an authorization server
   */
  async tokenForScopes(scopes: readonly string[]): Promise<string> {
    const logins = await readLogins(this.stored);
    if (logins.every((stored) => stored === undefined)) throw await this.#explain();
    return this.source.tokenForScopes(scopes);
  }

  /** Does not suggest a login if there is no authorization server. */
  async #explain(): Promise<Error> {
    const { login, leniency } = this.stored;
    const { serverUrl } = login;
    const found = await discoverMcpAuth(serverUrl, { challenge: this.#challenge, ...leniency });
    return isAssumed(found) ? new TokenNeededError(serverUrl) : new LoginNeededError(login);
  }
}

/** Creates a function that throws an error with the required login instead of opening a browser. */
export function refuseLogin({
  login,
  store,
}: Pick<StoredLogin, 'login' | 'store'>): (url: string) => Promise<never> {
  return async (url) => {
    const asked = parseScope(new URL(url).searchParams.get('scope') ?? '');
    const scopes = asked.filter((scope) => scope !== 'offline_access');
    const logins = (await readLogins({ login, store })).filter((stored) => stored !== undefined);
    const granted = new Set(logins.flatMap(({ grantedScopes }) => grantedScopes));
    const lacking = logins.length === 0 ? [] : scopes.filter((scope) => !granted.has(scope));
    throw new LoginNeededError({ ...login, scopes }, lacking);
  };
}

/** Reads the stored tokens for a server from all issuers. */
async function readLogins({ login: { serverUrl }, store }: Pick<StoredLogin, 'login' | 'store'>) {
  const issuers = await store.issuers(serverUrl);
  const stored = await Promise.all(issuers.map((issuer) => store.get({ serverUrl, issuer })));
  return stored.map((credentials) => credentials?.tokens);
}
