import type { Type } from '@nestjs/common';
import { McpAudit } from './audit/mcp-audit.js';
import { McpAuthenticator } from './auth/mcp-authenticator.js';
import { McpCatalog } from './catalog/mcp-catalog.js';
import { McpExtensions } from './dispatch/mcp-extensions.js';
import { McpEvents } from './extensions/events/mcp-events.js';
import { McpTasks } from './extensions/tasks/mcp-tasks.js';
import { McpNotifier } from './notifications/mcp-notifier.js';
import { McpStats } from './health/mcp-stats.js';
import { McpHealthIndicator } from './health/mcp-health-indicator.js';
import { McpSessions } from './sessions/mcp-sessions.js';
import {
  getAuditToken,
  getAuthenticatorToken,
  getCatalogToken,
  getInMemoryConnectorToken,
  getEventsToken,
  getExtensionsToken,
  getStatsToken,
  getHealthIndicatorToken,
  getNotifierToken,
  getSessionsToken,
  getStdioToken,
  getTasksToken,
} from './settings/server-tokens.js';
import { McpInMemoryConnector } from './transport/memory/mcp-in-memory-connector.js';
import { StdioTransport } from './transport/stdio/stdio-transport.js';

/** Something that each server has, and that the application injects. */
export interface ServerService {
  readonly type: Type;
  /** Names the token of a server's own; without a key, of the default server's. */
  readonly getToken: (server?: string) => string;
}

/** What applications inject of a server. */
export const SERVER_SERVICES: readonly ServerService[] = [
  { type: McpCatalog, getToken: getCatalogToken },
  { type: McpNotifier, getToken: getNotifierToken },
  { type: McpSessions, getToken: getSessionsToken },
  { type: McpExtensions, getToken: getExtensionsToken },
  { type: McpAuthenticator, getToken: getAuthenticatorToken },
  { type: McpInMemoryConnector, getToken: getInMemoryConnectorToken },
  { type: McpTasks, getToken: getTasksToken },
  { type: McpEvents, getToken: getEventsToken },
  { type: McpStats, getToken: getStatsToken },
  { type: McpAudit, getToken: getAuditToken },
  { type: McpHealthIndicator, getToken: getHealthIndicatorToken },
  { type: StdioTransport, getToken: getStdioToken },
];
