import { isMoved } from '../../../core/oauth/is-moved.js';
import type {
  TokenAnswer,
  TokenRequest,
  TokenServer,
} from '../../../core/oauth/token-endpoint/request-token.js';
import type { TokenSend } from '../../../core/oauth/token-endpoint/token-send.interface.js';
import { TokenEndpointError } from '../../../core/oauth/token-endpoint/token-endpoint.error.js';
import { readWhole } from '../../../core/oauth/whole-answer.js';
import { KeptPromise } from '../../../core/waiting/kept-promise.js';
import type { WantedToken } from '../../context/exchange.interface.js';
import type { TokenExchangeSettings } from '../../settings/auth/exchange-options.js';
import { DocumentError } from '../keys/document.error.js';
import { explainFailedFetch } from '../keys/fetch-document.js';
import { fetchServerMetadata, getEndpoint } from '../keys/issuer-metadata.js';
import { quoteUrl } from '../quote-value.js';
import { ACCESS_TOKEN, EXCHANGE_PROFILES } from './exchange-profiles.js';

/** What can be sent as a bearer token: access tokens by either name (RFC 8693 §3). */
const SENDABLE: ReadonlySet<string | undefined> = new Set([
  undefined,
  ACCESS_TOKEN,
  'urn:ietf:params:oauth:token-type:jwt',
]);

/**
 * Asks the authorization server for tokens of other services.
 *
 * @see RFC 8693 §2, and `on-behalf-of` in {@link EXCHANGE_PROFILES}
 */
export class ExchangeEndpoint {
  readonly #send: TokenSend;
  /** What was found is used until nobody takes exchanges there: the server may have moved. */
  readonly #server = new KeptPromise<TokenServer>(() => this.#discover());

  constructor(readonly settings: TokenExchangeSettings) {
    this.#send = createTokenSend(settings.timeoutMs);
  }

  /** @throws {TypeError} if the profile cannot ask for what is wanted, which is the application's fault */
  assertAskable(wanted: WantedToken): void {
    EXCHANGE_PROFILES[this.settings.profile].buildParameters('', wanted);
  }

  /**
   * Exchanges a token, once.
   *
   * @throws {TokenEndpointError} if the authorization server gives none for it
   * @throws {DocumentError} if it does not answer
   * @throws {TypeError} if the configured key cannot sign, or the profile cannot ask for what is wanted
   */
  async exchange(subjectToken: string, wanted: WantedToken): Promise<TokenAnswer> {
    const { grantType, buildParameters } = EXCHANGE_PROFILES[this.settings.profile];
    const answer = await this.#request(grantType, buildParameters(subjectToken, wanted));
    if (answer.tokenType === 'bearer' && SENDABLE.has(answer.issuedTokenType)) return answer;
    throw new TokenEndpointError(200, 'invalid_response', 'the answer has no bearer token');
  }

  async #request(grantType: string, parameters: TokenRequest['parameters']): Promise<TokenAnswer> {
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

/** No redirect is followed: callers' tokens go where it is said that they go. */
function createTokenSend(timeoutMs: number): TokenSend {
  return async (url, request) => {
    const name = quoteUrl(url);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      return await readWhole(await fetch(url, { ...request, redirect: 'manual', signal }));
    } catch (cause) {
      throw new DocumentError(`${name} ${explainFailedFetch(cause, timeoutMs)}`, undefined, { cause });
    }
  };
}
