import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';

/** What the official client keeps of its registration and its tokens: in memory, which is enough for a demo. */
export class MemoryOAuthProvider implements OAuthClientProvider {
  readonly clientMetadata: OAuthClientMetadata;
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;

  /**
   * @param redirectUrl where the authorization server sends the user's browser back to
   * @param redirectToAuthorization sends the user's browser to the authorization server
   */
  constructor(
    readonly redirectUrl: string,
    readonly redirectToAuthorization: (url: URL) => void | Promise<void>,
  ) {
    this.clientMetadata = {
      client_name: 'Demo client',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    };
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }

  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }

  /** Forgets what the authorization server no longer accepts, so that the user logs in again. */
  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const isEverything = scope === 'all';
    if (isEverything || scope === 'tokens') this.#tokens = undefined;
    if (isEverything || scope === 'client') this.#client = undefined;
    if (isEverything || scope === 'discovery') this.#discovery = undefined;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }
}
