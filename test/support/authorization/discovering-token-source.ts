import {
  createClientHttp,
  discoverMcpAuth,
  NoTokenYetError,
  type AuthorizationChallenge,
  type TokenSource,
} from 'nestjs-mcp/client';

/** What nobody but the token endpoint may see. */
export const SECRET = 'the-secret-of-the-client';

/** A source of an application's own: it finds the token endpoint by discovery, and sends its secret there. */
export class DiscoveringTokenSource implements TokenSource {
  #challenge: AuthorizationChallenge | undefined;
  #token: string | undefined;

  constructor(
    private readonly serverUrl: string,
    private readonly options: { readonly fetch?: typeof fetch; readonly timeoutMs?: number } = {},
  ) {}

  async token(): Promise<string> {
    if (this.#token === undefined) throw new NoTokenYetError();
    return this.#token;
  }

  async respond(challenge: AuthorizationChallenge): Promise<void> {
    this.#challenge = challenge;
  }

  async tokenForScopes(scopes: readonly string[]): Promise<string> {
    const { serverUrl, options } = this;
    const { authorizationServer } = await discoverMcpAuth(serverUrl, {
      ...options,
      challenge: this.#challenge,
    });
    const http = createClientHttp({ ...options, serverUrl });
    const response = await http(authorizationServer.token_endpoint ?? '', {
      method: 'POST',
      body: new URLSearchParams({ client_secret: SECRET, scope: scopes.join(' '), resource: serverUrl }),
    });
    if (!response.ok) throw new Error(`no token but ${response.status}`);
    const { access_token: token } = (await response.json()) as { readonly access_token: string };
    this.#token = token;
    return token;
  }
}
