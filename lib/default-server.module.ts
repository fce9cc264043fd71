import { Module, type Provider } from '@nestjs/common';
import { DefaultServer } from './catalogue/discovery/default-server.js';
import { McpCatalogue } from './catalogue/mcp-catalogue.js';
import { McpExtensions } from './dispatch/mcp-extensions.js';
import { McpTasks } from './extensions/tasks/mcp-tasks.js';
import { McpConnector } from './transport/memory/mcp-connector.js';
import { StdioTransport } from './transport/stdio/stdio-transport.js';
import { McpAuthenticator } from './auth/mcp-authenticator.js';
import { McpNotifier } from './notifications/mcp-notifier.js';
import {
  getAuthenticatorToken,
  getCatalogueToken,
  getConnectorToken,
  getExtensionsToken,
  getNotifierToken,
  getStdioToken,
  getTasksToken,
} from './settings/mcp.constants.js';

/** What the default server gives: by class, and by the token that names no server. */
const PROVIDERS: readonly Provider[] = [
  DefaultServer,
  {
    provide: McpCatalogue,
    useFactory: (server: DefaultServer) => server.load(McpCatalogue, getCatalogueToken()),
    inject: [DefaultServer],
  },
  {
    provide: McpNotifier,
    useFactory: (server: DefaultServer) => server.load(McpNotifier, getNotifierToken()),
    inject: [DefaultServer],
  },
  {
    provide: McpExtensions,
    useFactory: (server: DefaultServer) => server.load(McpExtensions, getExtensionsToken()),
    inject: [DefaultServer],
  },
  {
    provide: McpAuthenticator,
    useFactory: (server: DefaultServer) => server.load(McpAuthenticator, getAuthenticatorToken()),
    inject: [DefaultServer],
  },
  { provide: getAuthenticatorToken(), useExisting: McpAuthenticator },
  {
    provide: McpConnector,
    useFactory: (server: DefaultServer) => server.load(McpConnector, getConnectorToken()),
    inject: [DefaultServer],
  },
  { provide: getConnectorToken(), useExisting: McpConnector },
  {
    provide: McpTasks,
    useFactory: (server: DefaultServer) => server.load(McpTasks, getTasksToken()),
    inject: [DefaultServer],
  },
  { provide: getTasksToken(), useExisting: McpTasks },
  {
    provide: getStdioToken(),
    useFactory: (server: DefaultServer) => server.load(StdioTransport, getStdioToken()),
    inject: [DefaultServer],
  },
  { provide: getCatalogueToken(), useExisting: McpCatalogue },
  { provide: getNotifierToken(), useExisting: McpNotifier },
  { provide: getExtensionsToken(), useExisting: McpExtensions },
];

/**
 * Makes the catalogue, the notifier, the extensions and the authenticator of the default server injectable. Each server's module exports it, so that a
 * service gets the same by class whichever of them its module sees.
 */
@Module({
  providers: [...PROVIDERS],
  exports: [
    McpCatalogue,
    McpNotifier,
    McpExtensions,
    McpAuthenticator,
    getAuthenticatorToken(),
    getStdioToken(),
    McpConnector,
    getConnectorToken(),
    McpTasks,
    getTasksToken(),
    getCatalogueToken(),
    getNotifierToken(),
    getExtensionsToken(),
  ],
})
export class DefaultServerModule {}
