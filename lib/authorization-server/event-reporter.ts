import type { IncomingMessage } from 'node:http';
import type { ModuleRef } from '@nestjs/core';
import type { errors, KoaContextWithOIDC, Provider } from 'oidc-provider';
import type {
  AuthorizationEvent,
  AuthorizationEventRecorder,
} from '../server/settings/authorization-event.js';
import { getAuthorizationRecorderToken } from '../server/settings/server-tokens.js';
import { TOKEN_EXCHANGE } from './engine/token-exchange.js';
import type { AuthorizationServerSettings } from './settings/authorization-server-options.js';

/** An event without what the reporter adds. */
export type ReportedEvent = Omit<AuthorizationEvent, 'http' | 'issuer'>;

/** A map, because clients name the grant type, such as `constructor`. */
const GRANT_EVENTS: ReadonlyMap<string, AuthorizationEvent['type']> = new Map([
  ['authorization_code', 'token_issue'],
  ['refresh_token', 'token_refresh'],
  [TOKEN_EXCHANGE, 'token_exchange'],
]);

/** How the engine and its adapter describe a code or a refresh token that was used before. */
const USED_BEFORE = /already (?:used|consumed)/;

/** Reports what happens to the audit and the metrics of the MCP server in the same application, if there is one. */
export class EventReporter {
  #recorder: AuthorizationEventRecorder | 'none' | undefined;

  constructor(
    private readonly settings: Pick<AuthorizationServerSettings, 'issuer' | 'resourceServers'>,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** Reports an event of a login. */
  report(request: IncomingMessage, event: ReportedEvent): void {
    const recorder = (this.#recorder ??= this.#find());
    if (recorder === 'none') return;
    const { headers } = request;
    recorder.record({ ...event, http: { headers, request }, issuer: this.settings.issuer });
  }

  /** Reports the requests that the engine responds to by itself. */
  observe(provider: Provider): void {
    provider.on('registration_create.success', (context, client) =>
      this.report(context.req, { type: 'registration', outcome: 'ok', clientId: client.clientId }),
    );
    provider.on('registration_create.error', (context, error) =>
      this.report(context.req, { type: 'registration', outcome: 'refused', reason: error.error }),
    );
    provider.on('grant.success', (context) => this.#reportGrant(context));
    provider.on('grant.error', (context, error) => this.#reportGrant(context, error));
    provider.on('grant.revoked', (context) => {
      if (context.oidc.route === 'revocation') this.#reportOwn(context, 'token_revocation');
    });
  }

  #reportGrant(context: KoaContextWithOIDC, error?: errors.OIDCProviderError): void {
    const type = GRANT_EVENTS.get(String(context.oidc.params?.['grant_type']));
    if (type !== undefined) this.#reportOwn(context, type, error);
  }

  #reportOwn(
    { req, oidc }: KoaContextWithOIDC,
    type: AuthorizationEvent['type'],
    error?: errors.OIDCProviderError,
  ): void {
    const { Grant, RefreshToken } = oidc.entities;
    const clientId = oidc.client?.clientId;
    const server = this.settings.resourceServers.find((one) => one.clientId === clientId);
    const requested = oidc.params?.['resource'];
    this.report(req, {
      type,
      outcome: judge(error),
      subject: Grant?.accountId ?? RefreshToken?.accountId,
      clientId,
      resource: server?.resource ?? (typeof requested === 'string' ? requested : undefined),
      reason: USED_BEFORE.test(error?.error_detail ?? '') ? 'used_before' : error?.error,
    });
  }

  /** All modules are ready once a request arrives. */
  #find(): AuthorizationEventRecorder | 'none' {
    try {
      const token = getAuthorizationRecorderToken();
      const found = this.moduleRef.get<AuthorizationEventRecorder | undefined>(token, { strict: false });
      return found ?? 'none';
    } catch {
      return 'none';
    }
  }
}

function judge(error: errors.OIDCProviderError | undefined): AuthorizationEvent['outcome'] {
  if (error === undefined) return 'ok';
  return error.error === 'temporarily_unavailable' ? 'error' : 'refused';
}
