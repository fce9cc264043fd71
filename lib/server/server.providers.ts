import type { Provider } from '@nestjs/common';
import { Logger } from '../core/logger/logger.js';
import { Sealer } from '../core/sealing/sealer.js';
import { isTelemetryWanted } from '../core/telemetry/is-telemetry-wanted.js';
import { AuditTrail } from './audit/audit-trail.js';
import { McpAudit } from './audit/mcp-audit.js';
import { Refusals } from './audit/refusals.js';
import { AUTH_PROVIDERS } from './auth/auth.providers.js';
import { ASKING_PROVIDERS } from './asking/asking.providers.js';
import { CATALOGUE_PROVIDERS } from './catalogue/catalogue.providers.js';
import { SharedChangesOpening } from './catalogue/shared-changes-opening.js';
import { Answers } from './dispatch/answers.js';
import { ExtensionOutlets } from './dispatch/extension-outlets.js';
import { FailureMapper } from './dispatch/failure-mapper.js';
import { HostedCalls } from './dispatch/hosted-calls.js';
import { IncomingNotifications } from './dispatch/incoming-notifications.js';
import { McpExtensions } from './dispatch/mcp-extensions.js';
import { MethodTable } from './dispatch/method-table.js';
import { OfferReport } from './dispatch/offer-report.js';
import { Pipeline } from './dispatch/pipeline.js';
import { SessionBroadcasts } from './dispatch/session-broadcasts.js';
import { STEP_PROVIDERS } from './dispatch/steps.js';
import { APPS_PROVIDERS } from './extensions/apps/apps.providers.js';
import { TASKS_PROVIDERS } from './extensions/tasks/tasks.providers.js';
import { MemoryBudget } from './memory/memory-budget.js';
import { MisplacedLimits } from './limits/concurrency/misplaced-limits.js';
import { HandlerLimits } from './limits/handler-limits.js';
import { Throttling } from './limits/throttler/throttling.js';
import { METHOD_PROVIDERS } from './methods/method.providers.js';
import { AddedSubscriptions } from './notifications/added-subscriptions.js';
import { AnnouncementReceiver } from './notifications/announcing/announcement-receiver.js';
import { Announcer } from './notifications/announcing/announcer.js';
import { ResourceScopes } from './notifications/announcing/resource-scopes.js';
import { CatalogueAnnouncer } from './notifications/catalogue-announcer.js';
import { ListenerRegistry } from './notifications/listener-registry.js';
import { McpNotifier } from './notifications/mcp-notifier.js';
import { RequestsOfCallers } from './notifications/requests-of-callers.js';
import { LossTeller } from './notifications/standing/loss-teller.js';
import { SessionJudge } from './notifications/standing/session-judge.js';
import { SessionUpkeep } from './notifications/standing/session-upkeep.js';
import { StaleLists } from './notifications/standing/stale-lists.js';
import { StandingClaims } from './notifications/standing/standing-claims.js';
import { StandingStreams } from './notifications/standing/standing-streams.js';
import { SubscriberViews } from './notifications/subscriber-views.js';
import { DetachedRequests } from './sessions/in-flight-requests.js';
import { EVENTS_PROVIDERS } from './extensions/events/events.providers.js';
import { SKILLS_PROVIDERS } from './extensions/skills/skills.providers.js';
import { createRelay } from './relay/create-relay.js';
import { Owners } from './relay/owners.js';
import { RelayWaits } from './relay/relay-waits.js';
import { Relay } from './relay/relay.js';
import { CallerParts } from './sessions/callers/caller-parts.js';
import { EndedCallers } from './sessions/callers/ended-callers.js';
import { McpSessions } from './sessions/mcp-sessions.js';
import { SessionPlaces } from './sessions/places/session-places.js';
import { SessionRegistry } from './sessions/session-registry.js';
import { CallerStates } from './state/caller-states.js';
import { Draining } from './shutdown/draining.js';
import { AuditedEnds } from './audited-ends.js';
import { ServerInstruments } from './server-instruments.js';
import { BoundedState } from './sessions/shared/bounded-state.js';
import { LostRecords } from './sessions/shared/lost-records.js';
import { SessionNews } from './sessions/shared/session-news.js';
import { SharedSessions } from './sessions/shared/shared-sessions.js';
import { DEVELOPMENT_PROVIDERS } from './development/development.providers.js';
import { McpFigures } from './health/mcp-figures.js';
import { McpHealthIndicator } from './health/mcp-health-indicator.js';
import {
  SERVER_IDENTITY,
  SERVER_SETTINGS,
  SERVER_TELEMETRY,
  type ServerIdentity,
} from './settings/mcp.constants.js';
import { isStillAccepted } from './settings/is-still-accepted.js';
import type { ServerSettings } from './settings/server-settings.js';
import type { ServerTelemetry } from './telemetry/server-telemetry.js';
import { HTTP_PROVIDERS } from './transport/http/http.providers.js';
import { McpConnector } from './transport/memory/mcp-connector.js';
import { PipeConnections } from './transport/pipe/pipe-connections.js';
import { StdioTransport } from './transport/stdio/stdio-transport.js';
import { joinParts } from './server-parts.js';
import { SERVER_SERVICES } from './server-services.js';
import { EndpointPath } from './transport/http/endpoint-path.js';
import { ForwardedCalls } from './catalogue/search/forwarded-calls.js';
import { MetadataHandler } from './transport/http/metadata/metadata.handler.js';
import { MetadataRoutes } from './transport/http/metadata/metadata-routes.js';
import { CardHandler } from './transport/http/card/card.handler.js';
import { CardRoutes } from './transport/http/card/card-routes.js';
import { ServerCardSource } from './transport/http/card/server-card-source.js';
import { ControllerRoute } from './transport/http/edge/controller-route.js';
import { HttpTransport } from './transport/http/http-transport.js';

/** What controllers and the module itself need of a server, and what is asked for by class. */
const KNOWN: ReadonlySet<unknown> = new Set<unknown>([
  ...SERVER_SERVICES.map(({ type }) => type),
  HttpTransport,
  ControllerRoute,
  MetadataHandler,
  MetadataRoutes,
  CardHandler,
  CardRoutes,
  ServerCardSource,
  // Aliases lead to them.
  EndpointPath,
  ForwardedCalls,
]);

/** What each server consists of. */
export const SERVER_PROVIDERS: readonly Provider[] = joinParts(
  [
    ...CATALOGUE_PROVIDERS,
    MemoryBudget,
    SessionPlaces,
    SessionRegistry,
    BoundedState,
    SessionNews,
    CallerParts,
    EndedCallers,
    McpSessions,
    LostRecords,
    SharedSessions,
    DetachedRequests,
    ListenerRegistry,
    AddedSubscriptions,
    SubscriberViews,
    RequestsOfCallers,
    ResourceScopes,
    Announcer,
    AnnouncementReceiver,
    SessionJudge,
    StandingClaims,
    StandingStreams,
    SessionUpkeep,
    LossTeller,
    StaleLists,
    McpNotifier,
    ...APPS_PROVIDERS,
    CatalogueAnnouncer,
    SharedChangesOpening,
    { provide: SERVER_TELEMETRY, useFactory: loadTelemetry, inject: [SERVER_SETTINGS, SERVER_IDENTITY] },
    ServerInstruments,
    AuditTrail,
    McpAudit,
    Refusals,
    AuditedEnds,
    { provide: Sealer, useFactory: createSealer, inject: [SERVER_SETTINGS] },
    RelayWaits,
    { provide: Relay, useFactory: createRelay, inject: [SERVER_SETTINGS, RelayWaits, SERVER_TELEMETRY] },
    Owners,
    CallerStates,
    ...ASKING_PROVIDERS,
    ...AUTH_PROVIDERS,
    MisplacedLimits,
    Throttling,
    HandlerLimits,
    ...METHOD_PROVIDERS,
    MethodTable,
    OfferReport,
    FailureMapper,
    SessionBroadcasts,
    IncomingNotifications,
    ...STEP_PROVIDERS,
    Answers,
    Pipeline,
    HostedCalls,
    ExtensionOutlets,
    McpExtensions,
    ...TASKS_PROVIDERS,
    ...EVENTS_PROVIDERS,
    ...SKILLS_PROVIDERS,
    Draining,
    ...HTTP_PROVIDERS,
    PipeConnections,
    StdioTransport,
    McpConnector,
    McpFigures,
    McpHealthIndicator,
    ...DEVELOPMENT_PROVIDERS,
  ],
  KNOWN,
);

function createSealer({ keyring, acceptFormerFormatUntil: until }: ServerSettings): Sealer {
  if (until !== undefined && !isStillAccepted(until)) {
    new Logger('McpServer').warn('"acceptFormerFormatUntil" has passed, so that it has no effect: remove it');
  }
  return new Sealer(keyring);
}

/** What records is loaded for those alone who want something recorded. */
async function loadTelemetry(
  { telemetry }: ServerSettings,
  { server }: ServerIdentity,
): Promise<ServerTelemetry | undefined> {
  if (!isTelemetryWanted(telemetry)) return undefined;
  const { ServerTelemetry } = await import('./telemetry/server-telemetry.js');
  return ServerTelemetry.load(telemetry, server, new Logger('McpTelemetry'));
}
