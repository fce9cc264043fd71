import { isMoved } from '../../../core/oauth/http-status.js';
import { formatScope } from '../../../core/oauth/scope.js';
import {
  TokenEndpointError,
  type TokenSend,
} from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import type {
  TokenRequest,
  TokenResponse,
  TokenServer,
} from '../../../core/oauth/token-endpoint/request-token.js';
import { readWholeResponse } from '../../../core/oauth/whole-response.js';
import { CachedPromise } from '../../../core/async/promises.js';
import type { RequestedToken } from '../../context/token-exchange.js';
import type { TokenExchangeSettings } from '../../settings/auth/exchange-options.js';
import { DocumentError } from '../errors.js';
import { explainFailedFetch } from '../keys/fetch-document.js';
import { fetchServerMetadata, getEndpoint } from '../keys/issuer-metadata.js';
import { quoteUrl } from '../quote-value.js';

/** The access token type (RFC 8693 §3). */
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';

/** The token types that can be sent as bearer tokens (RFC 8693 §3). */
const SENDABLE: ReadonlySet<string | undefined> = new Set([
  undefined,
  ACCESS_TOKEN,
  'urn:ietf:params:oauth:token-type:jwt',
]);

/**
 * Exchanges tokens at the authorization server.
 *
 * @see RFC 8693 §2, and `on-behalf-of` in {@link EXCHANGE_PROFILES}
 */
export class ExchangeEndpoint {
  readonly #send: TokenSend;
  /** The discovered server is used until it no longer accepts exchanges, because it may have moved. */
  readonly #server = new CachedPromise<TokenServer>(() => this.#discover());

  constructor(readonly settings: TokenExchangeSettings) {
    this.#send = createTokenSend(settings.timeoutMs);
  }

  /** @throws {TypeError} if the profile does not support the wanted token, which is a mistake in the application */
  assertSupported(wanted: RequestedToken): void {
    EXCHANGE_PROFILES[this.settings.profile].buildParameters('', wanted);
  }

  /**
   * Exchanges a token, once.
   *
   * @throws {TokenEndpointError} if the authorization server refuses the exchange
   * @throws {DocumentError} if the authorization server does not respond
   * @throws {TypeError} if the configured key cannot sign, or the profile does not support the wanted token
   */
  async exchange(subjectToken: string, wanted: RequestedToken): Promise<TokenResponse> {
    const { grantType, buildParameters } = EXCHANGE_PROFILES[this.settings.profile];
    const answer = await this.#request(grantType, buildParameters(subjectToken, wanted));
    if (answer.tokenType === 'bearer' && SENDABLE.has(answer.issuedTokenType)) return answer;
    throw new TokenEndpointError(200, 'invalid_response', 'the response contains no bearer token');
  }

  async #request(grantType: string, parameters: TokenRequest['parameters']): Promise<TokenResponse> {
    // The code that signs and sends is loaded only if tokens are exchanged.
    const { requestToken } = await import('../../../core/oauth/token-endpoint/request-token.js');
    const server = await this.#server.get();
    const request = {
      server,
      client: this.settings,
      grantType,
      parameters,
      send: this.#send,
    };
    try {
      return await requestToken(request);
    } catch (error) {
      if (isAway(error)) this.#server.forget();
      throw error;
    }
  }

  async #discover(): Promise<TokenServer> {
    const { issuer = '', tokenEndpoint, timeoutMs, ...leniency } = this.settings;
    if (tokenEndpoint !== undefined)
      return { issuer: issuer || tokenEndpoint, token_endpoint: tokenEndpoint };
    const { insecureHosts, ignoreIssuerSlash } = leniency;
    const metadata = await fetchServerMetadata(issuer, { timeoutMs, insecureHosts, ignoreIssuerSlash });
    const methods: unknown = metadata.token_endpoint_auth_methods_supported;
    return {
      issuer: metadata.issuer,
      token_endpoint: getEndpoint(metadata, 'token_endpoint', leniency),
      token_endpoint_auth_methods_supported: Array.isArray(methods) ? methods.map(String) : undefined,
    };
  }
}

function isAway(error: unknown): boolean {
  return error instanceof DocumentError || (error instanceof TokenEndpointError && isMoved(error.status));
}

/** Never follows redirects, so callers' tokens go only to the configured server. */
function createTokenSend(timeoutMs: number): TokenSend {
  return async (url, request) => {
    const name = quoteUrl(url);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      return await readWholeResponse(await fetch(url, { ...request, redirect: 'manual', signal }));
    } catch (cause) {
      throw new DocumentError(`${name} ${explainFailedFetch(cause, timeoutMs)}`, undefined, { cause });
    }
  };
}

/** The grant for exchanging tokens, and its parameters. */
interface ExchangeProfile {
  readonly grantType: string;
  /** @throws {TypeError} if the grant does not support the wanted token */
  buildParameters(subjectToken: string, wanted: RequestedToken): TokenRequest['parameters'];
}

/** @see RFC 8693 §2.1 */
const TOKEN_EXCHANGE: ExchangeProfile = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  buildParameters: (subjectToken, { audience, resource, scopes = [] }) => ({
    subject_token: subjectToken,
    subject_token_type: ACCESS_TOKEN,
    requested_token_type: ACCESS_TOKEN,
    audience,
    resource,
    scope: formatScope(scopes),
  }),
};

/**
 * Entra ID identifies an API by the requested scopes, which begin with its Application ID URI.
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-on-behalf-of-flow
 */
const ON_BEHALF_OF: ExchangeProfile = {
  grantType: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  buildParameters: (subjectToken, { audience, resource, scopes = [] }) => ({
    assertion: subjectToken,
    requested_token_use: 'on_behalf_of',
    scope: formatScope(listFullScopes(selectApi(audience ?? resource), scopes)),
  }),
};

function selectApi(apis: RequestedToken['audience'] = []): string | undefined {
  const [api, another] = [apis].flat();
  if (another === undefined) return api;
  throw new TypeError(
    'An on-behalf-of token is valid for one API: name one in "audience", and exchange the token separately for each of the others',
  );
}

/** Requests all scopes that have already been consented to. */
const DEFAULT_SCOPE = '.default';

function listFullScopes(api: string | undefined, scopes: readonly string[]): readonly string[] {
  if (api === undefined) {
    if (scopes.length > 0) return scopes;
    throw new TypeError(
      'An on-behalf-of token is valid for one API: name it in "audience", such as "api://invoices", or list its full scope names in "scopes"',
    );
  }
  const named = scopes.length === 0 ? [DEFAULT_SCOPE] : scopes;
  return named.map((scope) => (scope.startsWith(`${api}/`) ? scope : `${api}/${scope}`));
}

/** The profiles, by name. */
export const EXCHANGE_PROFILES: { readonly [name in TokenExchangeSettings['profile']]: ExchangeProfile } = {
  'token-exchange': TOKEN_EXCHANGE,
  'on-behalf-of': ON_BEHALF_OF,
};
