import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import type { RequestContext } from '../context/request-context.js';
import type { SubscriberViews } from '../notifications/subscriber-views.js';
import type { SharedSessions } from '../sessions/shared/shared-sessions.js';
import { getSession } from './get-session.js';
import type { McpMethod } from './mcp-method.interface.js';
import { parseResourceUri } from './parse-resource-uri.js';

/** Subscribes a session to the changes of a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
export class ResourcesSubscribeMethod implements McpMethod {
  readonly method = 'resources/subscribe';

  constructor(
    private readonly sessions: SharedSessions,
    private readonly resources: ResourceAccess,
    private readonly views: SubscriberViews,
  ) {}

  handle(context: RequestContext): Encoded | Promise<Encoded> {
    const session = getSession(context);
    const asked = parseResourceUri(context);
    const uri = this.resources.findUri(asked, context.hidden);
    if (uri === undefined) throw McpError.resourceNotFound(context.revision.resourceNotFoundCode, asked);
    this.views.keep(session, context);
    return this.sessions.subscribe(session, uri)?.then(() => ({})) ?? {};
  }
}
