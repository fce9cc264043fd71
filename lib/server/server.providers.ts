import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { AuthorizationRecorder } from './audit/authorization-recorder.js';
import { McpAudit } from './audit/mcp-audit.js';
import { McpAuthenticator } from './auth/mcp-authenticator.js';
import { McpCatalog } from './catalog/mcp-catalog.js';
import { ComposedServer } from './composition/composed-server.js';
import { createContents, type CatalogContents } from './composition/create-catalog.js';
import { createServer, type Server } from './composition/create-server.js';
import { NestParts, type ServerControllers } from './composition/server-inputs.js';
import { McpExtensions } from './dispatch/mcp-extensions.js';
import { McpEvents } from './extensions/events/mcp-events.js';
import { McpTasks } from './extensions/tasks/mcp-tasks.js';
import { McpStats } from './health/mcp-stats.js';
import { McpHealthIndicator } from './health/mcp-health-indicator.js';
import { McpNotifier } from './notifications/mcp-notifier.js';
import { McpSessions } from './sessions/mcp-sessions.js';
import {
  CATALOG_CONTENTS,
  COMPOSED_SERVER,
  SERVER_SETTINGS,
  type ServerIdentity,
} from './settings/mcp.constants.js';
import type { ServerSettings } from './settings/server-settings.js';
import { CardHandler } from './transport/http/card/card.handler.js';
import { ServerCardSource } from './transport/http/card/server-card-source.js';
import { HttpTransport } from './transport/http/http-transport.js';
import { MetadataHandler } from './transport/http/metadata/metadata.handler.js';
import { MetadataRoutes } from './transport/http/metadata/metadata-routes.js';
import { McpInMemoryConnector } from './transport/memory/mcp-in-memory-connector.js';
import { StdioTransport } from './transport/stdio/stdio-transport.js';

/** Registers one server with Nest: its hooks, and the classes that applications, controllers and other servers look up. */
export function provideServer(identity: ServerIdentity, controllers: ServerControllers): readonly Provider[] {
  const compose = async (
    contents: CatalogContents,
    settings: ServerSettings,
    nest: NestParts,
  ): Promise<ComposedServer> =>
    new ComposedServer(await createServer({ settings, identity, controllers, nest }, contents));
  return [
    NestParts,
    { provide: CATALOG_CONTENTS, useFactory: createContents },
    {
      provide: COMPOSED_SERVER,
      useFactory: compose,
      inject: [CATALOG_CONTENTS, SERVER_SETTINGS, NestParts],
    },
    // Exists before its server's options, which may depend on a provider that adds entries to the catalog.
    {
      provide: McpCatalog,
      useFactory: ({ catalog }: CatalogContents) => catalog,
      inject: [CATALOG_CONTENTS],
    },
    ...SELECTED,
  ];
}

const SELECTED: readonly Provider[] = [
  select(McpNotifier, ({ services }) => services.notifier),
  select(McpSessions, ({ services }) => services.sessions),
  select(McpExtensions, ({ services }) => services.extensions),
  select(McpAuthenticator, ({ services }) => services.authenticator),
  select(McpInMemoryConnector, ({ services }) => services.connector),
  select(McpTasks, ({ services }) => services.tasks),
  select(McpEvents, ({ services }) => services.events),
  select(McpStats, ({ services }) => services.figures),
  select(McpAudit, ({ services }) => services.audit),
  select(AuthorizationRecorder, ({ services }) => services.authorizations),
  select(McpHealthIndicator, ({ services }) => services.health),
  select(StdioTransport, ({ services }) => services.stdio),
  select(HttpTransport, ({ http }) => http.transport),
  select(MetadataRoutes, ({ documents }) => documents.metadataRoutes),
  select(MetadataHandler, ({ documents }) => documents.metadataHandler),
  select(ServerCardSource, ({ documents }) => documents.card),
  select(CardHandler, ({ documents }) => documents.cardHandler),
];

function select<Part>(provide: Type<Part>, find: (server: Server) => Part): FactoryProvider<Part> {
  return { provide, useFactory: ({ parts }: ComposedServer) => find(parts), inject: [COMPOSED_SERVER] };
}
