import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import type { RequestContext } from '../context/request-context.js';
import type { SubscriberViews } from '../notifications/notification-scopes.js';
import type { SharedSessions } from '../sessions/shared/shared-sessions.js';
import type { McpMethod } from './mcp-method.interface.js';
import { isLogLevel, LOG_LEVELS } from '../../core/protocol/log-level.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { isWithoutSession } from '../sessions/session-opening.interface.js';
import { Session } from '../sessions/session.js';

/** Subscribes a session to changes to a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
export class ResourcesSubscribeMethod implements McpMethod {
  readonly method = 'resources/subscribe';

  constructor(
    private readonly sessions: SharedSessions,
    private readonly resources: ResourceAccess,
    private readonly views: SubscriberViews,
  ) {}

  handle(context: RequestContext): Encoded | Promise<Encoded> {
    const session = getSession(context);
    const requested = parseResourceUri(context);
    const uri = this.resources.findUri(requested, context.hidden);
    if (uri === undefined) throw McpError.resourceNotFound(context.revision.resourceNotFoundCode, requested);
    this.views.store(session, context);
    return this.sessions.subscribe(session, uri)?.then(() => ({})) ?? {};
  }
}

/** Ends a session's subscription to changes to a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
export class ResourcesUnsubscribeMethod implements McpMethod {
  readonly method = 'resources/unsubscribe';

  constructor(
    private readonly sessions: SharedSessions,
    private readonly resources: ResourceAccess,
  ) {}

  handle(context: RequestContext): Encoded | Promise<Encoded> {
    const uri = this.resources.normalize(parseResourceUri(context));
    const unsubscribed = this.sessions.unsubscribe(getSession(context), uri);
    return unsubscribed?.then(() => ({})) ?? {};
  }
}

const LONGEST_URI = 8192;

/**
 * Parses the URI of the requested resource.
 *
 * @throws {McpError} -32602 if it is not a URI
 */
export function parseResourceUri({ params }: RequestContext): string {
  const { uri } = params;
  if (typeof uri === 'string' && uri !== '' && uri.length <= LONGEST_URI) return uri;
  throw McpError.invalidParams(`"uri" must be a string of 1 to ${LONGEST_URI} characters`);
}

/** Sets the lowest log level that a session receives (MCP 2025-11-25 server/utilities/logging). */
export class LoggingSetLevelMethod implements McpMethod {
  readonly method = 'logging/setLevel';

  constructor(private readonly sessions: SharedSessions) {}

  handle(context: RequestContext): Encoded | Promise<Encoded> {
    const session = getSession(context);
    if (session.declared.logging === undefined) throw McpError.methodNotFound(this.method);
    const { level } = context.params;
    if (!isLogLevel(level)) {
      throw McpError.invalidParams(`"level" must be one of ${LOG_LEVELS.join(', ')}`);
    }
    return this.sessions.setLogLevel(session, level)?.then(() => ({})) ?? {};
  }
}

/**
 * Returns a request's session to a method that concerns the session itself.
 *
 * @throws {McpError} -32600 if the request has no session, -32601 if the server has no sessions at all
 */
function getSession({ peer, method }: RequestContext): Session {
  if (peer instanceof Session) return peer;
  if (isWithoutSession(peer)) {
    const text = `Method not found: "${method}" requires a session, but this server has no sessions`;
    throw new McpError(ErrorCode.MethodNotFound, text);
  }
  throw McpError.invalidRequest('the method requires a session: initialize one first', 200);
}
