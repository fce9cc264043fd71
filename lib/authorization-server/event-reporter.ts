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

/** The event for each of the engine's routes. */
const ROUTE_EVENTS: ReadonlyMap<string, AuthorizationEvent['type']> = new Map([
  ['authorization', 'login_begun'],
  ['resume', 'login'],
  ['token', 'token_issue'],
  ['registration', 'registration'],
  ['revocation', 'token_revocation'],
]);

/** The errors of this server or the provider. Others are the client's. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

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

  /** Reports a request that does not reach the engine. Its form is not read, so its grant type is unknown. */
  reportRoute(request: IncomingMessage, route: string, reason: 'rate_limited' | 'server_error'): void {
    const type = ROUTE_EVENTS.get(route);
    if (type !== undefined) this.report(request, { type, outcome: judge(reason), reason });
  }

  /**
   * Reports the requests that the engine responds to by itself.
   *
   * @param isLimited whether a request exceeded a limit, which the engine's errors do not contain
   */
  observe(provider: Provider, isLimited: (request: IncomingMessage) => boolean): void {
    const refuse = (context: KoaContextWithOIDC, error: errors.OIDCProviderError): void =>
      this.#reportOwn(context, isLimited(context.req) ? 'rate_limited' : findReason(error));
    provider.on('registration_create.success', (context, client) =>
      this.report(context.req, { type: 'registration', outcome: 'ok', clientId: client.clientId }),
    );
    provider.on('registration_create.error', refuse);
    provider.on('grant.success', (context) => this.#reportOwn(context));
    provider.on('grant.error', refuse);
    provider.on('grant.revoked', (context) => {
      if (context.oidc.route === 'revocation') this.#reportOwn(context);
    });
    provider.on('authorization.error', (context, error) => {
      // The user's later decision has its own events.
      if (context.oidc.route === 'authorization') refuse(context, error);
    });
    provider.on('server_error', (context) => this.#reportOwn(context, 'server_error'));
  }

  #reportOwn({ req, oidc }: KoaContextWithOIDC, reason?: string): void {
    const type = GRANT_EVENTS.get(String(oidc.params?.['grant_type'])) ?? ROUTE_EVENTS.get(oidc.route);
    if (type === undefined) return;
    const { Grant, RefreshToken } = oidc.entities;
    const clientId = oidc.client?.clientId;
    const server = this.settings.resourceServers.find((one) => one.clientId === clientId);
    const requested = oidc.params?.['resource'];
    this.report(req, {
      type,
      outcome: judge(reason),
      subject: Grant?.accountId ?? RefreshToken?.accountId,
      clientId,
      resource: server?.resource ?? (typeof requested === 'string' ? requested : undefined),
      reason,
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

function findReason({ error, error_detail: detail = '' }: errors.OIDCProviderError): string {
  return USED_BEFORE.test(detail) ? 'used_before' : error;
}

function judge(reason: string | undefined): AuthorizationEvent['outcome'] {
  if (reason === undefined) return 'ok';
  return OWN_ERRORS.has(reason) ? 'error' : 'refused';
}
