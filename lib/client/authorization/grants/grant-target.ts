import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import type { TokenServer } from '../../../core/oauth/token-endpoint/request-token.js';
import { normalizeServerUrl } from '../credentials/credential-key.js';
import {
  discoverMcpAuth,
  isAssumed,
  selectExpectedIssuer,
  type DiscoverOptions,
} from '../discovery/discover-mcp-auth.js';
import { getEndpoint } from '../discovery/server-metadata.js';
import { InsecureEndpointError, NoAuthorizationServerError } from '../errors.js';
import { createClientHttp } from '../client-http.js';
import type { ClientHttp } from '../client-http.interface.js';
import type { GrantOptions } from './grant-options.js';

/** The token endpoint, and the resource of its tokens. */
export interface GrantTarget {
  readonly server: TokenServer;
  readonly resource: string;
  /** The scopes that the server's metadata names. */
  readonly scopesSupported: readonly string[];
  /** Whether the server's metadata requires tokens that are bound to a key. @default false */
  readonly bindsTokens?: boolean;
  readonly http: ClientHttp;
  /**
   * Whether the server did not name an authorization server, in which case the endpoint is assumed.
   * @default false
   */
  readonly isAssumed?: boolean;
}

/** Finds the token endpoint for one server: the configured one, or one from discovery. Discovery accepts only one issuer. */
export class GrantTargets {
  readonly #serverUrl: string;
  /** The credentials' issuer. If the server later names a different issuer, that issuer does not receive them. */
  #issuer: string | undefined;

  /** @throws {InsecureEndpointError} if a URL is not secure */
  constructor(private readonly options: GrantOptions) {
    const { serverUrl, tokenEndpoint, issuer, insecureHosts } = options;
    this.#serverUrl = String(serverUrl);
    this.#issuer = issuer;
    if (!isSecureUrl(this.#serverUrl, insecureHosts))
      throw new InsecureEndpointError(this.#serverUrl, 'serverUrl');
    if (tokenEndpoint !== undefined && !isSecureUrl(tokenEndpoint, insecureHosts)) {
      throw new InsecureEndpointError(tokenEndpoint, 'tokenEndpoint');
    }
  }

  /**
   * Finds the token endpoint.
   *
   * @throws {NoAuthorizationServerError} if the server names no authorization server
   * @throws {IssuerMismatchError} if the server names an authorization server that the credentials are not intended
   * for
   */
  async find(challenge: DiscoverOptions['challenge']): Promise<GrantTarget> {
    const { tokenEndpoint } = this.options;
    return tokenEndpoint === undefined ? this.#discover(challenge) : this.#build(tokenEndpoint);
  }

  /**
   * Records that an endpoint has issued a token. The credentials then belong to its issuer, even if the server did
   * not name it.
   */
  confirm({ server }: GrantTarget): void {
    this.#issuer ??= server.issuer;
  }

  #build(tokenEndpoint: string): GrantTarget {
    const { issuer = tokenEndpoint, resource = this.#ownResource, ...options } = this.options;
    const { serverUrl: _serverUrl, ...trusted } = options;
    const server = { issuer, token_endpoint: tokenEndpoint };
    return { server, resource, scopesSupported: [], http: createClientHttp(trusted) };
  }

  async #discover(challenge: DiscoverOptions['challenge']): Promise<GrantTarget> {
    const found = await discoverMcpAuth(this.#serverUrl, {
      ...this.options,
      challenge,
      selectIssuer: (issuers) => this.#select(issuers),
    });
    const { authorizationServer, prm } = found;
    const { issuer, token_endpoint_auth_methods_supported: methods } = authorizationServer;
    const isNobody = isAssumed(found);
    if (isNobody && ![undefined, issuer].includes(this.#issuer)) {
      throw new NoAuthorizationServerError(this.#serverUrl);
    }
    this.#select([issuer]);
    if (!isNobody) this.#issuer = issuer;
    return {
      server: {
        issuer,
        token_endpoint: getEndpoint(authorizationServer, 'token_endpoint', this.options.insecureHosts),
        token_endpoint_auth_methods_supported: methods,
      },
      resource: this.options.resource ?? prm?.resource ?? this.#ownResource,
      scopesSupported: prm?.scopes_supported ?? [],
      bindsTokens: prm?.dpop_bound_access_tokens_required === true,
      http: createClientHttp({ ...this.options, serverUrl: this.#serverUrl }),
      isAssumed: isNobody,
    };
  }

  #select(issuers: readonly string[]): string | undefined {
    return selectExpectedIssuer(this.#issuer, issuers, this.options.ignoreIssuerSlash);
  }

  get #ownResource(): string {
    return normalizeServerUrl(this.#serverUrl);
  }
}
