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
 * Injects the notifier of one server in an application with several. Without a key it injects the default server's, as
 * the class does.
 *
 * @example
 * constructor(@InjectNotifier('admin') private readonly notifier: McpNotifier) {}
 */
export function InjectNotifier(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getNotifierToken(server));
}

/**
 * Injects the sessions of one server in an application with several. Without a key it injects the default server's, as
 * the class does.
 *
 * @example
 * constructor(@InjectSessions('admin') private readonly sessions: McpSessions) {}
 */
export function InjectSessions(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getSessionsToken(server));
}

/**
 * Injects the figures of one server in an application with several.
 *
 * @example
 * constructor(@InjectStats('admin') private readonly stats: McpStats) {}
 */
export function InjectStats(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getStatsToken(server));
}

/**
 * Injects the audit of one server in an application with several.
 *
 * @example
 * constructor(@InjectAudit('admin') private readonly audit: McpAudit) {}
 */
export function InjectAudit(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getAuditToken(server));
}

/**
 * Injects the health indicator of one server in an application with several.
 *
 * @example
 * constructor(@InjectHealthIndicator('admin') private readonly admin: McpHealthIndicator) {}
 */
export function InjectHealthIndicator(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getHealthIndicatorToken(server));
}

/**
 * Injects the catalog of one server in an application with several. Without a key it injects the default server's, as
 * the class does.
 *
 * @example
 * constructor(@InjectCatalog('admin') private readonly catalog: McpCatalog) {}
 */
export function InjectCatalog(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getCatalogToken(server));
}

/**
 * Injects the extensions of one server in an application with several.
 *
 * @example
 * constructor(@InjectExtensions('admin') private readonly extensions: McpExtensions) {}
 */
export function InjectExtensions(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getExtensionsToken(server));
}

/**
 * Injects the authenticator of one server in an application with several, for a guard of that server.
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
 * Injects the tasks of one server in an application with several.
 *
 * @example
 * constructor(@InjectTasks('admin') private readonly tasks: McpTasks) {}
 */
export function InjectTasks(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getTasksToken(server));
}

/**
 * Injects the events of one server in an application with several.
 *
 * @example
 * constructor(@InjectEvents('admin') private readonly events: McpEvents) {}
 */
export function InjectEvents(server?: string): PropertyDecorator & ParameterDecorator {
  return Inject(getEventsToken(server));
}
