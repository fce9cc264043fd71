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

/** What the server asks for. */
export interface Challenge {
  /** The scopes that it names. */
  readonly scope?: string | undefined;
  readonly resourceMetadataUrl?: URL | undefined;
  /** Whether there is a token, which allows too little. */
  readonly isStepUp: boolean;
}

/** Says that somebody has to log in first, or to give a token. */
export class LoginNeededError extends Error {
  override readonly name = 'LoginNeededError';

  constructor() {
    super(readAccess() === 'token' ? 'The server asks for a token.' : 'The server asks for a login.');
  }
}

/** Who the user of the page is to the server. Nobody is sent to log in without having asked for it. */
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

  /** What the server asks for, until it is given. */
  get challenge(): Challenge | undefined {
    return this.#challenge;
  }

  /** Why the last login did not come to anything. */
  get failure(): LoginFailure | undefined {
    return this.#failure;
  }

  /** What the server said to the last token, if it refused it. */
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

  /** The scopes of the token, as far as anybody said. */
  get scopes(): readonly string[] {
    const { typedToken, tokens } = this.#records.read();
    const scope = typedToken === undefined ? (tokens?.scope ?? '') : '';
    return scope.split(' ').filter((one) => one !== '');
  }

  /** Tells whether the token is bound to a key of this page. */
  get isBound(): boolean {
    return isBound(this.#records.read().tokens);
  }

  /** Sends a request to the endpoint, with a proof of the key that its token is bound to, if it is. */
  send(url: string | URL, init?: RequestInit): Promise<Response> {
    return this.#binding.send(url, init);
  }

  /** Gives the token to the transport, and hears what it lacks. */
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

  /** Notes what the server asks for. */
  ask(challenge: Challenge): void {
    this.#challenge = challenge;
    this.changed();
  }

  /** Stays with what there is. */
  dismiss(): void {
    this.#challenge = undefined;
    this.#failure = undefined;
    this.#refusal = undefined;
    this.changed();
  }

  /** Sends the user to the authorization server, or refreshes what there is; tells whether the latter did. */
  async begin(clientId: string): Promise<boolean> {
    const { scope, resourceMetadataUrl: named, isStepUp = false } = this.#challenge ?? {};
    // At another origin the page may not read it. Its own origin has it too, and says whom tokens are for.
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

  /** Continues a login that comes back in the address of the page. The answer is removed from the address first. */
  async finish(): Promise<void> {
    const answer = new URLSearchParams(location.search);
    if (!answer.has('state')) return;
    const { state, returnTo = '', resourceMetadataUrl } = this.#records.read();
    history.replaceState(null, '', this.endpoint.pathname + returnTo);
    // Nobody began this login here: its code may be somebody else's.
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

  /** Uses a token that somebody has. */
  use(token: string): void {
    this.#records.write({ typedToken: token.trim(), tokens: undefined });
    this.dismiss();
  }

  /** Forgets everything; the token itself lives on until it expires. */
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

  /** A token that somebody typed in is not sent again; one of a login may be renewed. */
  #noteRefusal(description: string | undefined): void {
    const { token } = this;
    if (token === undefined) return;
    const isTyped = this.#records.read().typedToken !== undefined;
    this.#refusal = explainRefusedToken({ token, isTyped, description });
    if (isTyped) this.#records.write({ typedToken: undefined });
  }
}
