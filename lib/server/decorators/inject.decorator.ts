import { Inject } from '@nestjs/common';
import {
  getAuditToken,
  getAuthenticatorToken,
  getCatalogToken,
  getEventsToken,
  getExtensionsToken,
  getStatsToken,
  getHealthIndicatorToken,
  getNotifierToken,
  getSessionsToken,
  getTasksToken,
} from '../settings/server-tokens.js';

/**
 * Injects a server's notifier in an application with multiple servers. Without a key, it injects the default server's
 * notifier, as the class does.
 *
 * @example
 * constructor(@InjectNotifier('admin') private readonly notifier: McpNotifier) {}
 */
export function InjectNotifier(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getNotifierToken(server));
}

/**
 * Injects a server's sessions in an application with multiple servers. Without a key, it injects the default server's
 * sessions, as the class does.
 *
 * @example
 * constructor(@InjectSessions('admin') private readonly sessions: McpSessions) {}
 */
export function InjectSessions(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getSessionsToken(server));
}

/**
 * Injects a server's statistics in an application with multiple servers.
 *
 * @example
 * constructor(@InjectStats('admin') private readonly stats: McpStats) {}
 */
export function InjectStats(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getStatsToken(server));
}

/**
 * Injects a server's audit in an application with multiple servers.
 *
 * @example
 * constructor(@InjectAudit('admin') private readonly audit: McpAudit) {}
 */
export function InjectAudit(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getAuditToken(server));
}

/**
 * Injects a server's health indicator in an application with multiple servers.
 *
 * @example
 * constructor(@InjectHealthIndicator('admin') private readonly admin: McpHealthIndicator) {}
 */
export function InjectHealthIndicator(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getHealthIndicatorToken(server));
}

/**
 * Injects a server's catalog in an application with multiple servers. Without a key, it injects the default server's
 * catalog, as the class does.
 *
 * @example
 * constructor(@InjectCatalog('admin') private readonly catalog: McpCatalog) {}
 */
export function InjectCatalog(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getCatalogToken(server));
}

/**
 * Injects a server's extensions in an application with multiple servers.
 *
 * @example
 * constructor(@InjectExtensions('admin') private readonly extensions: McpExtensions) {}
 */
export function InjectExtensions(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getExtensionsToken(server));
}

/**
 * Injects a server's authenticator in an application with multiple servers, for that server's guard.
 *
 * @example
 * class AdminAuthGuard extends McpAuthGuard { constructor(@InjectAuthenticator('admin') authenticator: McpAuthenticator) {
 *     super(authenticator);
 *   }
 * }
 */
export function InjectAuthenticator(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getAuthenticatorToken(server));
}

/**
 * Injects a server's tasks in an application with multiple servers.
 *
 * @example
 * constructor(@InjectTasks('admin') private readonly tasks: McpTasks) {}
 */
export function InjectTasks(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getTasksToken(server));
}

/**
 * Injects a server's events in an application with multiple servers.
 *
 * @example
 * constructor(@InjectEvents('admin') private readonly events: McpEvents) {}
 */
export function InjectEvents(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getEventsToken(server));
}
