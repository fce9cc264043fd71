import type { Type } from '@nestjs/common';
import { AuthorizationRecorder } from './audit/authorization-recorder.js';
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
  getAuthorizationRecorderToken,
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

/** A service that each server has and the application can inject. */
export interface ServerService {
  readonly type: Type;
  /** Returns the injection token for a server's service, or for the default server's without a key. */
  readonly getToken: (server?: string) => string;
}

/** The services that applications inject from a server. */
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
  { type: AuthorizationRecorder, getToken: getAuthorizationRecorderToken },
  { type: McpHealthIndicator, getToken: getHealthIndicatorToken },
  { type: StdioTransport, getToken: getStdioToken },
];
