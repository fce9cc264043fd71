import { ConfigurableModuleBuilder } from '@nestjs/common';
import type { ConfigurableModuleAsyncOptions, DynamicModule, Provider, Type } from '@nestjs/common';
import { Sealer } from '../core/sealing/sealer.js';
import { AuditTrail } from './audit/audit-trail.js';
import { McpAudit } from './audit/mcp-audit.js';
import { Refusals } from './audit/refusals.js';
import { AUTH_PROVIDERS, provideEndpointGuard } from './auth/auth.providers.js';
import { McpAuthGuard } from './auth/mcp-auth.guard.js';
import { ASKING_PROVIDERS } from './asking/asking.providers.js';
import { CATALOGUE_PROVIDERS } from './catalogue/catalogue.providers.js';
import { SharedChangesOpening } from './catalogue/shared-changes-opening.js';
import { DefaultServerModule } from './default-server.module.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { ExtensionOutlets } from './dispatch/extension-outlets.js';
import { FailureMapper } from './dispatch/failure-mapper.js';
import { BatchCounts } from './dispatch/batch-counts.js';
import { HostedCalls } from './dispatch/hosted-calls.js';
import { IncomingNotifications } from './dispatch/incoming-notifications.js';
import { McpExtensions } from './dispatch/mcp-extensions.js';
import { MethodTable } from './dispatch/method-table.js';
import { Operations } from './dispatch/operations.js';
import { OfferReport } from './dispatch/offer-report.js';
import { SessionBroadcasts } from './dispatch/session-broadcasts.js';
import { ThrottledMethods } from './dispatch/throttled-methods.js';
import { APPS_PROVIDERS } from './extensions/apps/apps.providers.js';
import { TASKS_PROVIDERS } from './extensions/tasks/tasks.providers.js';
import { MemoryBudget } from './memory/memory-budget.js';
import { LIMITS_PROVIDERS } from './limits/limits.providers.js';
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
import { SERVER_SERVICES } from './server-services.js';
import { withDevelopmentDefaults } from './development/development-defaults.js';
import { DEVELOPMENT_PROVIDERS } from './development/development.providers.js';
import { McpFigures } from './health/mcp-figures.js';
import { McpHealthIndicator } from './health/mcp-health-indicator.js';
import { assertModuleSettings } from './settings/checks/assert-module-settings.js';
import { assertOptions } from './settings/checks/assert-options.js';
import type { McpModuleExtras, McpOptions } from './settings/mcp-options.interface.js';
import {
  CARD_CONTROLLER,
  DEFAULT_SERVER,
  MCP_CONTROLLER,
  METADATA_CONTROLLER,
  SERVER_IDENTITY,
  SERVER_SETTINGS,
  SERVER_TELEMETRY,
  type ServerIdentity,
} from './settings/mcp.constants.js';
import { buildServerSettings, type ServerSettings } from './settings/server-settings.js';
import { ServerTelemetry } from './telemetry/server-telemetry.js';
import { createCardController } from './transport/http/card/create-card-controller.js';
import { createMcpController } from './transport/http/edge/create-mcp-controller.js';
import { createMetadataController } from './transport/http/metadata/create-metadata-controller.js';
import { HTTP_PROVIDERS } from './transport/http/http.providers.js';
import { McpConnector } from './transport/memory/mcp-connector.js';
import { PipeConnections } from './transport/pipe/pipe-connections.js';
import { StdioTransport } from './transport/stdio/stdio-transport.js';

/** Options of `McpModule.forRootAsync`: the source of the server's options, and settings of the module itself. */
export type McpModuleAsyncOptions = ConfigurableModuleAsyncOptions<McpOptions, 'createMcpOptions'> &
  McpModuleExtras;

const DEFAULT_EXTRAS: Required<McpModuleExtras> = {
  server: DEFAULT_SERVER,
  isDefault: false,
  isGlobal: true,
  decorators: [],
  authGuard: McpAuthGuard,
};

const builder = new ConfigurableModuleBuilder<McpOptions>({ moduleName: 'Mcp' })
  .setClassMethodName('forRoot')
  .setFactoryMethodName('createMcpOptions')
  .setExtras(DEFAULT_EXTRAS, addServer);

export const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN, OPTIONS_TYPE, ASYNC_OPTIONS_TYPE } =
  builder.build();

/** Adds all providers of a server to the module that holds its options. */
function addServer(definition: DynamicModule, given: McpModuleExtras): DynamicModule {
  const { server, isDefault, isGlobal, decorators, authGuard } = fillExtras(given);
  const controller = createMcpController(decorators);
  const metadataController = createMetadataController(decorators);
  const cardController = createCardController(decorators);
  const identity: ServerIdentity = { server, isDefault };
  return {
    ...definition,
    global: isGlobal,
    imports: [...(definition.imports ?? []), DefaultServerModule],
    controllers: [controller, metadataController, cardController],
    providers: [
      ...(definition.providers ?? []),
      { provide: SERVER_IDENTITY, useValue: identity },
      { provide: SERVER_SETTINGS, useFactory: createSettings, inject: [MODULE_OPTIONS_TOKEN] },
      { provide: MCP_CONTROLLER, useValue: controller },
      { provide: METADATA_CONTROLLER, useValue: metadataController },
      { provide: CARD_CONTROLLER, useValue: cardController },
      ...SERVER_SERVICES.map(({ type, getToken }) => ({ provide: getToken(server), useExisting: type })),
      provideEndpointGuard(authGuard as Type<McpAuthGuard>),
      ...SERVER_PROVIDERS,
    ],
    exports: [...SERVER_SERVICES.map(({ getToken }) => getToken(server)), DefaultServerModule],
  };
}

/** Treats `undefined` as left out. */
function fillExtras(given: McpModuleExtras): Required<McpModuleExtras> {
  const { server, isDefault, isGlobal, decorators, authGuard } = given;
  assertModuleSettings({ server, isDefault, isGlobal, decorators, authGuard });
  return {
    server: server ?? DEFAULT_EXTRAS.server,
    isDefault: isDefault ?? DEFAULT_EXTRAS.isDefault,
    isGlobal: isGlobal ?? DEFAULT_EXTRAS.isGlobal,
    decorators: decorators ?? DEFAULT_EXTRAS.decorators,
    authGuard: authGuard ?? DEFAULT_EXTRAS.authGuard,
  };
}

const SERVER_PROVIDERS: readonly Provider[] = [
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
  ...LIMITS_PROVIDERS,
  ...METHOD_PROVIDERS,
  MethodTable,
  ThrottledMethods,
  OfferReport,
  FailureMapper,
  SessionBroadcasts,
  IncomingNotifications,
  Dispatcher,
  Operations,
  HostedCalls,
  BatchCounts,
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
];

function createSealer({ secrets }: ServerSettings): Sealer {
  return new Sealer(secrets);
}

function loadTelemetry(
  { telemetry }: ServerSettings,
  { server }: ServerIdentity,
): Promise<ServerTelemetry | undefined> {
  return ServerTelemetry.load(telemetry, server);
}

function createSettings(options: unknown): ServerSettings {
  assertOptions(options);
  return buildServerSettings(withDevelopmentDefaults(options));
}
