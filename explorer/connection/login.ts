import { auth, extractWWWAuthenticateParams, type AuthProvider } from '@modelcontextprotocol/client';
import { readAccess, readFacts } from '../facts.js';
import { Binding } from './binding.js';
import {
  explainAnswer,
  explainLoginFailure,
  explainRefusedToken,
  type LoginFailure,
} from './login-failure.js';
import { LoginProvider } from './login-provider.js';
import { isBound, LoginRecords } from './login-record.js';
import { LoginRequests } from './login-requests.js';
import { Store } from './store.js';

/** The login or token that the server requires. */
export interface Challenge {
  /** The required scopes. */
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
  /** Whether there is a token that lacks scopes. */
  readonly isStepUp: boolean;
}

/** Thrown if the user must log in first, or enter a token. */
export class LoginNeededError extends Error {
  override readonly name = 'LoginNeededError';

  constructor() {
    super(readAccess() === 'token' ? 'The server requires a token.' : 'The server requires a login.');
  }
}

/** The login of the page's user at the server. The page redirects the user only on request. */
export class Login extends Store {
  readonly #records: LoginRecords;
  readonly #provider: LoginProvider;
  readonly #binding: Binding;
  readonly #requests: LoginRequests;
  #challenge: Challenge | undefined;
  #failure: LoginFailure | undefined;
  #refusal: string | undefined;

  constructor(private readonly endpoint: URL) {
    super();
    this.#records = new LoginRecords(endpoint, readFacts().issuers);
    this.#requests = new LoginRequests(endpoint, this.#records);
    this.#provider = new LoginProvider(endpoint, this.#records, this.#requests);
    this.#binding = new Binding(endpoint, this.#records, this.#requests);
  }

  /** The login that the server requires, until it is completed. */
  get challenge(): Challenge | undefined {
    return this.#challenge;
  }

  /** The reason why the last login failed. */
  get failure(): LoginFailure | undefined {
    return this.#failure;
  }

  /** The server's response to the last token, if it was refused. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  get clientId(): string {
    return this.#records.read().clientId ?? '';
  }

  get token(): string | undefined {
    const { typedToken, tokens } = this.#records.read();
    return typedToken ?? tokens?.access_token;
  }

  /** The token's scopes, if known. */
  get scopes(): readonly string[] {
    const { typedToken, tokens } = this.#records.read();
    const scope = typedToken === undefined ? (tokens?.scope ?? '') : '';
    return scope.split(' ').filter((one) => one !== '');
  }

  /** Returns whether the token is bound to a key of this page. */
  get isBound(): boolean {
    return isBound(this.#records.read().tokens);
  }

  /** Sends a request to the endpoint, with a proof if the token is bound to a key. */
  send(url: string | URL, init?: RequestInit): Promise<Response> {
    return this.#binding.send(url, init);
  }

  /** Provides the token to the transport, and receives challenges. */
  get authProvider(): AuthProvider {
    return {
      token: () => Promise.resolve(this.token),
      onUnauthorized: ({ response }) => {
        const { errorDescription, ...asked } = extractWWWAuthenticateParams(response);
        this.#noteRefusal(errorDescription);
        this.ask({ ...asked, isStepUp: false });
        return Promise.reject(new LoginNeededError());
      },
    };
  }

  /** Records what the server requires. */
  ask(challenge: Challenge): void {
    this.#challenge = challenge;
    this.changed();
  }

  /** Continues with the current token. */
  dismiss(): void {
    this.#challenge = undefined;
    this.#failure = undefined;
    this.#refusal = undefined;
    this.changed();
  }

  /** Redirects the user to the authorization server, or refreshes the token. Returns whether it was refreshed. */
  async begin(clientId: string): Promise<boolean> {
    const { scope, resourceMetadataUrl: named, isStepUp = false } = this.#challenge ?? {};
    // The page may not read it from a different origin. The page's own origin serves it too, with the resource that
    // tokens are for.
    const resourceMetadataUrl = named?.origin === this.endpoint.origin ? named : undefined;
    const held = isStepUp ? this.scopes : [];
    const scopes = [...new Set([...held, ...(scope?.split(' ') ?? [])])].join(' ');
    this.#failure = undefined;
    this.#requests.begin();
    this.#records.write({
      clientId: clientId.trim() === '' ? undefined : clientId.trim(),
      resourceMetadataUrl: resourceMetadataUrl?.href,
      returnTo: location.hash,
      discovery: undefined,
    });
    try {
      const outcome = await auth(this.#provider, {
        serverUrl: this.endpoint,
        fetchFn: this.#binding.sendLogin,
        forceReauthorization: isStepUp,
        ...(scopes !== '' && { scope: scopes }),
        ...(resourceMetadataUrl && { resourceMetadataUrl }),
      });
      if (outcome === 'AUTHORIZED') this.dismiss();
      return outcome === 'AUTHORIZED';
    } catch (error) {
      return this.#fail(error);
    }
  }

  /** Continues a login from the redirect in the page's address. The response is removed from the address first. */
  async finish(): Promise<void> {
    const answer = new URLSearchParams(location.search);
    if (!answer.has('state')) return;
    const { state, returnTo = '', resourceMetadataUrl } = this.#records.read();
    history.replaceState(null, '', this.endpoint.pathname + returnTo);
    // This page did not start this login, so its code may be an attacker's.
    if (state === undefined || state !== answer.get('state')) return;
    this.#records.write({ state: undefined });
    const code = answer.get('code');
    const iss = answer.get('iss');
    if (code === null) {
      this.#failure = explainAnswer(answer);
      return;
    }
    this.#requests.begin();
    try {
      await auth(this.#provider, {
        serverUrl: this.endpoint,
        fetchFn: this.#binding.sendLogin,
        authorizationCode: code,
        ...(iss !== null && { iss }),
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
      });
    } catch (error) {
      this.#fail(error);
    }
    this.#records.write({ verifier: undefined });
  }

  /** Uses a token that the user entered. */
  use(token: string): void {
    this.#records.write({ typedToken: token.trim(), tokens: undefined });
    this.dismiss();
  }

  /** Removes everything. The token itself remains valid until it expires. */
  forget(): void {
    this.#records.clear();
    this.dismiss();
  }

  #fail(error: unknown): false {
    const { refusal } = this.#requests;
    const record = this.#records.read();
    this.#failure = explainLoginFailure({ error, refusal, record, endpoint: this.endpoint });
    this.changed();
    return false;
  }

  /** A token that the user entered is not sent again. A login's token may be refreshed. */
  #noteRefusal(description: string | undefined): void {
    const { token } = this;
    if (token === undefined) return;
    const isTyped = this.#records.read().typedToken !== undefined;
    this.#refusal = explainRefusedToken({ token, isTyped, description });
    if (isTyped) this.#records.write({ typedToken: undefined });
  }
}
