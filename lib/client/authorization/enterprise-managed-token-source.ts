import { nonEmptyString, required } from '../../core/checks/option-checks.js';
import { nested, optionGroup } from '../../core/checks/option-group.js';
import { formatScope } from '../../core/oauth/scope.js';
import { isSecureUrl } from '../../core/oauth/secure-url.js';
import type { TokenResponse, TokenServer } from '../../core/oauth/token-endpoint/request-token.js';
import { CachedPromise } from '../../core/async/promises.js';
import { getEndpoint, getServerMetadata } from './discovery/server-metadata.js';
import { InsecureEndpointError, TokenRequestRefusedError } from './errors.js';
import {
  assertClient,
  assertIssuerKnown,
  GRANT_ROWS,
  IDENTITY_ROWS,
  type ClientOptions,
  type GrantOptions,
  type OpenGrantOption,
  type OpenIdentityOption,
} from './grants/grant-options.js';
import { checked, stringOrCallable } from './source-options.js';
import { warnOfUnsafeOptions } from './unsafe-options.js';
import { GrantTokenSource, isEndpointGone, type Grant } from './grants/grant-token-source.js';
import { ID_JAG, ID_TOKEN, JWT_BEARER, requestGrant, TOKEN_EXCHANGE } from './grants/request-grant.js';
import { createClientHttp } from './client-http.js';
import type { ClientHttp } from './client-http.interface.js';

/** An enterprise's identity provider, and the client's identity there. */
export interface IdentityProviderOptions extends ClientOptions {
  /** The issuer, whose metadata names the token endpoint; required without `tokenEndpoint`, and with a `privateKey`. */
  readonly issuer?: string | undefined;
  /** The URL where tokens are exchanged. @default from the issuer's metadata */
  readonly tokenEndpoint?: string | undefined;
}

/** Options of `EnterpriseManagedTokenSource`. */
export interface EnterpriseManagedOptions extends GrantOptions, ClientOptions {
  /** The identity provider that exchanges the login. */
  readonly identityProvider: IdentityProviderOptions;
  /** The token that the identity provider issued at the user's login, or a function that returns it. */
  readonly subjectToken: string | (() => string | Promise<string>);
  /** The subject token's type. @default 'urn:ietf:params:oauth:token-type:id_token' */
  readonly subjectTokenType?: string | undefined;
}

const IDENTITY_PROVIDER = optionGroup<
  IdentityProviderOptions,
  OpenIdentityOption | 'issuer' | 'tokenEndpoint'
>({
  ...IDENTITY_ROWS,
  issuer: nonEmptyString,
  tokenEndpoint: nonEmptyString,
});

export const ENTERPRISE_MANAGED = optionGroup<EnterpriseManagedOptions, OpenGrantOption | OpenIdentityOption>(
  {
    ...GRANT_ROWS,
    ...IDENTITY_ROWS,
    identityProvider: nested(required(IDENTITY_PROVIDER.check), IDENTITY_PROVIDER),
    subjectToken: required(stringOrCallable),
    subjectTokenType: [nonEmptyString, ID_TOKEN],
  },
);

/**
 * Gets tokens under the control of an enterprise. Its identity provider exchanges the user's login for an assertion,
 * which the MCP server's authorization server exchanges for a token. Each assertion is used once.
 *
 * @example
 * const tokenSource = new EnterpriseManagedTokenSource({
 *   serverUrl: 'https://desk.example.com/mcp',
 *   clientId: 'assistant',
 *   clientSecret: process.env['DESK_SECRET'],
 *   identityProvider: { issuer: 'https://sso.example.org', clientId: 'assistant-at-sso', clientSecret: process.env['SSO_SECRET'] },
 *   subjectToken: () => session.idToken,
 * });
 *
 * @see RFC 8693, RFC 7523 §2.1, MCP extension `io.modelcontextprotocol/enterprise-managed-authorization`
 */
export class EnterpriseManagedTokenSource extends GrantTokenSource {
  readonly #options: EnterpriseManagedOptions;
  readonly #http: ClientHttp;
  /** The endpoint is looked up again once it stops responding, because the identity provider may have moved. */
  readonly #provider = new CachedPromise<TokenServer>(() => findProvider(this.#options, this.#http));

  /**
   * @throws {TypeError} if the client's identity or the identity provider is missing
   * @throws {InsecureEndpointError} if a URL is not secure, so that others could read what is sent
   */
  constructor(options: EnterpriseManagedOptions) {
    super(checked(ENTERPRISE_MANAGED, options));
    assertClient(options);
    assertIssuerKnown(options);
    assertProvider(options.identityProvider, options.insecureHosts);
    const { fetch, timeoutMs, insecureHosts, onWarning } = options;
    const { assertionAudience } = options.identityProvider;
    if (options.assertionAudience !== assertionAudience)
      warnOfUnsafeOptions({ assertionAudience, onWarning });
    this.#options = options;
    this.#http = createClientHttp({ fetch, timeoutMs, insecureHosts });
  }

  protected request(grant: Grant): Promise<TokenResponse> {
    const { target, scopes, proof } = grant;
    return requestGrant({
      target,
      client: this.#options,
      grantType: JWT_BEARER,
      buildParameters: async () => ({
        assertion: await this.#requestAssertion(grant),
        scope: formatScope(scopes),
        resource: target.resource,
      }),
      proof,
    });
  }

  async #requestAssertion({ target, scopes }: Grant): Promise<string> {
    const { identityProvider, subjectToken, subjectTokenType } = ENTERPRISE_MANAGED.build(this.#options);
    const server = await this.#provider.get();
    const exchange = requestGrant({
      target: { server, http: this.#http },
      client: identityProvider,
      grantType: TOKEN_EXCHANGE,
      buildParameters: async () => ({
        requested_token_type: ID_JAG,
        audience: target.server.issuer,
        resource: target.resource,
        scope: formatScope(scopes),
        subject_token: typeof subjectToken === 'string' ? subjectToken : await subjectToken(),
        subject_token_type: subjectTokenType,
      }),
    });
    const answer = await exchange.catch((error: unknown) => {
      if (isEndpointGone(error)) this.#provider.forget();
      throw error;
    });
    if (answer.issuedTokenType === ID_JAG) return answer.accessToken;
    throw new TokenRequestRefusedError({
      tokenEndpoint: server.token_endpoint,
      status: 200,
      error: 'invalid_response',
      description: `"issued_token_type" is not ${ID_JAG}`,
    });
  }
}

async function findProvider(
  { identityProvider, insecureHosts, ignoreIssuerSlash }: EnterpriseManagedOptions,
  http: ClientHttp,
): Promise<TokenServer> {
  const { issuer = '', tokenEndpoint } = identityProvider;
  if (tokenEndpoint !== undefined) return { issuer: issuer || tokenEndpoint, token_endpoint: tokenEndpoint };
  const metadata = await getServerMetadata(issuer, { http, insecureHosts, ignoreIssuerSlash });
  const { token_endpoint_auth_methods_supported: methods } = metadata;
  return {
    issuer: metadata.issuer,
    token_endpoint: getEndpoint(metadata, 'token_endpoint', insecureHosts),
    token_endpoint_auth_methods_supported: methods,
  };
}

function assertProvider(provider: IdentityProviderOptions, insecureHosts?: readonly string[]): void {
  const { issuer, tokenEndpoint, privateKey } = provider;
  assertClient(provider, 'identityProvider.');
  if (issuer === undefined && (tokenEndpoint === undefined || privateKey !== undefined)) {
    throw new TypeError(
      'The "identityProvider.issuer" is required without "tokenEndpoint", to find its metadata, and with "privateKey", because assertions name it',
    );
  }
  if (issuer !== undefined && !isSecureUrl(issuer, insecureHosts)) {
    throw new InsecureEndpointError(issuer, 'identityProvider.issuer');
  }
  if (tokenEndpoint !== undefined && !isSecureUrl(tokenEndpoint, insecureHosts)) {
    throw new InsecureEndpointError(tokenEndpoint, 'identityProvider.tokenEndpoint');
  }
}
