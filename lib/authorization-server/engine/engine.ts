import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, type errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Keyring } from '../../core/sealing/keyring.js';
import { findUrl } from '../../core/oauth/secure-url.js';
import { Logger } from '../../core/logger/logger.js';
import type { AuthorizationServerSettings } from '../settings/authorization-server-options.js';
import type { EventReporter } from '../event-reporter.js';
import type { RequestLimits } from '../request-limits.js';
import type { SealedRecords } from '../storage/sealed-records.js';
import { UpstreamError } from '../upstream/upstream-client.js';
import type { UpstreamTokenStore } from '../upstream/upstream-tokens.js';
import { reportFailure } from '../report-failure.js';
import { buildEngineConfiguration, completeMetadata } from './engine-configuration.js';
import { EXCHANGE_PARAMETERS, TOKEN_EXCHANGE, TokenExchange } from './token-exchange.js';
import { deriveSigningKeys, findKeyPeriod } from './signing-keys.js';

/** The response body when a limit is exceeded. */
export const TOO_MANY = {
  error: 'temporarily_unavailable',
  error_description: 'Too many requests: try again later',
};

/** What the engine uses. */
export interface EngineServices {
  readonly settings: AuthorizationServerSettings;
  readonly records: SealedRecords;
  readonly keyring: Keyring;
  readonly tokens: Pick<UpstreamTokenStore, 'find' | 'needsLogin'>;
  readonly limits: RequestLimits;
  readonly events: EventReporter;
}

/** The engine with the signing keys of one period. */
interface PeriodEngine {
  readonly period: number;
  readonly provider: Provider;
  readonly respond: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/**
 * Runs `oidc-provider`. All state is stored outside it, so it can be recreated with the next signing keys while the
 * previous instance finishes its requests.
 */
export class Engine {
  readonly #logger = new Logger('McpAuthorizationServer');
  #current: PeriodEngine | undefined;

  constructor(private readonly services: EngineServices) {}

  get provider(): Provider {
    return this.#get().provider;
  }

  /** Responds to a request whose URL is relative to the issuer's path. */
  respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return this.#get().respond(request, response);
  }

  #get(): PeriodEngine {
    const period = findKeyPeriod(Date.now());
    if (this.#current?.period !== period) this.#current = this.#create(period);
    return this.#current;
  }

  #create(period: number): PeriodEngine {
    const { settings, records, keyring, tokens } = this.services;
    const signingKeys = deriveSigningKeys(keyring, period);
    const waits = new WeakMap<IncomingMessage, number>();
    const provider = new Provider(
      settings.issuer,
      buildEngineConfiguration({
        settings,
        records,
        keyring,
        signingKeys,
        verifyUser: (accountId) => this.#verifyUser(accountId),
        needsLogin: (accountId) => tokens.needsLogin(accountId),
        countDocument: () => this.#countDocument(waits),
      }),
    );
    provider.use(async (context, next) => {
      await next();
      const wait = waits.get(context.req);
      if (wait === undefined) return;
      context.status = 429;
      context.set('retry-after', String(wait));
      if (context.type === 'application/json') context.body = TOO_MANY;
    });
    provider.use((context, next) => completeMetadata(settings, context as KoaContextWithOIDC, next));
    if (settings.resourceServers.length > 0) {
      const exchange = new TokenExchange({ settings, records, provider, signingKeys, tokens });
      provider.registerGrantType(TOKEN_EXCHANGE, (context) => exchange.respond(context), EXCHANGE_PARAMETERS);
    }
    // URLs always start with the issuer's origin, whatever the request contains: see `presentAsIssuer`.
    provider.proxy = true;
    this.services.events.observe(provider, (request) => waits.has(request));
    provider.on('server_error', (_context, error) => reportFailure(error));
    provider.on('authorization.error', stayOnError);
    // Otherwise Koa prints errors from outside the engine's middleware to the console, with their stack.
    provider.onerror = reportFailure;
    return { period, provider, respond: provider.callback() };
  }

  /** The engine only reports that a document could not be fetched, so the response is changed afterwards. */
  async #countDocument(waits: WeakMap<IncomingMessage, number>): Promise<void> {
    const request = Provider.ctx?.req;
    if (request === undefined) return;
    const wait = await this.services.limits.count('document', request);
    if (wait === 0) return;
    waits.set(request, wait);
    throw new TypeError('Too many client metadata documents were requested');
  }

  /** While the provider is unavailable, users stay logged in. */
  async #verifyUser(accountId: string): Promise<void> {
    try {
      await this.services.tokens.find(accountId);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.#logger.warn(error.message);
    }
  }
}

/**
 * Shows a request's error on a page instead of redirecting, until the user has decided. Anyone can register a redirect
 * URI, so otherwise this server could be used to send people anywhere. Loopback redirect URIs still receive errors,
 * because only programs on the user's machine are reached there.
 *
 * @see RFC 9700 §4.11.2
 */
function stayOnError(context: KoaContextWithOIDC, error: errors.OIDCProviderError): void {
  const { oidc } = context;
  const redirectUri: unknown = oidc.params?.['redirect_uri'];
  const isLocal = typeof redirectUri === 'string' && findUrl(redirectUri)?.protocol === 'http:';
  if (oidc.route !== 'authorization' || isLocal) return;
  error.allow_redirect = false;
  // Some errors have a redirect status.
  context.status = 400;
}

/**
 * Makes a request look as if it had arrived at the issuer's origin, which the engine uses for every URL. The request's
 * own headers are untrusted.
 */
export function presentAsIssuer(
  request: IncomingMessage,
  { issuer, path }: AuthorizationServerSettings,
  url: string,
): void {
  const { host, protocol } = new URL(issuer);
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.headers.host = host;
  Object.assign(request, { originalUrl: `${path}${url}` });
  request.url = url;
}
