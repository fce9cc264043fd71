import {
  createAuthorizedFetch,
  MemoryCredentialStore,
  OAuthTokenSource,
  type OAuthTokenSourceOptions,
} from 'nestjs-mcp/client';
import { LoginServer, type LoginServerOptions } from './login-server.js';
import { ProtectedParty } from './protected-party.js';
import { Visitor } from '../clients/visitor.js';

/** A server that wants tokens, who gives them, and a user with a browser. */
export class LoginScene {
  readonly visitor = new Visitor();
  readonly store = new MemoryCredentialStore();
  readonly #logins: LoginServer[] = [];

  private constructor(
    readonly server: ProtectedParty,
    /** Who gives the tokens at first. */
    readonly login: LoginServer,
  ) {
    this.adopt(login);
  }

  static async start(options: Partial<LoginServerOptions> = {}): Promise<LoginScene> {
    const server = await ProtectedParty.start();
    return new LoginScene(server, await LoginServer.start({ resources: [server.url], ...options }));
  }

  /** Begins another authorization server, which the server trusts instead from now on. */
  async move(options: Partial<LoginServerOptions> = {}): Promise<LoginServer> {
    const login = await LoginServer.start({ resources: [this.server.url], ...options });
    this.adopt(login);
    return login;
  }

  adopt(login: LoginServer): void {
    this.#logins.push(login);
    this.server.issuer = login.issuer;
    this.server.findScopes = (token) => login.findScopes(token);
  }

  createSource(options: Partial<OAuthTokenSourceOptions> = {}): OAuthTokenSource {
    const { server, visitor, store } = this;
    return new OAuthTokenSource({
      serverUrl: server.url,
      openBrowser: visitor.open,
      present: () => undefined,
      store,
      ...options,
    });
  }

  /** Gives what calls the server as a client would that begins now. */
  createFetch(options: Partial<OAuthTokenSourceOptions> = {}): typeof fetch {
    return createAuthorizedFetch({ serverUrl: this.server.url, tokenSource: this.createSource(options) });
  }

  /** What is kept for the authorization server. */
  async kept(login = this.login) {
    return this.store.get({ serverUrl: this.server.url, issuer: login.issuer });
  }

  async stop(): Promise<void> {
    await Promise.all([this.server.party.stop(), ...this.#logins.map((login) => login.stop())]);
  }
}
