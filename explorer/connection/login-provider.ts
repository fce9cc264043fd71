import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { LoginRecords } from './login-record.js';
import type { LoginRequests } from './login-requests.js';

/** The login state that the official client needs, stored only in this tab. */
export class LoginProvider implements OAuthClientProvider {
  constructor(
    private readonly endpoint: URL,
    private readonly records: LoginRecords,
    private readonly requests: Pick<LoginRequests, 'tryToken'>,
  ) {}

  get redirectUrl(): string {
    return this.endpoint.href;
  }

  get clientMetadata(): OAuthClientMetadata {
    const isSecure = this.endpoint.protocol === 'https:';
    return {
      client_name: 'nestjs-mcp explorer',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: isSecure ? 'web' : 'native',
    };
  }

  state(): string {
    const state = crypto.randomUUID();
    this.records.write({ state });
    return state;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client, clientId } = this.records.read();
    if (clientId !== undefined && clientId !== client?.client_id) return { client_id: clientId };
    return client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.records.write({ client });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.records.read().tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.records.write({ tokens, typedToken: undefined });
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    if (!/^https?:$/.test(url.protocol)) throw new Error(`The login page has the address "${url.href}"`);
    await this.requests.tryToken(url.searchParams.get('client_id') ?? '');
    location.assign(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.records.write({ verifier });
  }

  codeVerifier(): string {
    return this.records.read().verifier ?? '';
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    this.records.write({ discovery });
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.records.read().discovery;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const members = scope === 'all' ? (['client', 'tokens', 'verifier', 'discovery'] as const) : [scope];
    this.records.write(Object.fromEntries(members.map((member) => [member, undefined])));
  }
}
