import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import type { ResourceAccess } from '../catalog/resource-access.js';
import type { RequestContext } from '../context/request-context.js';
import type { SharedSessions } from '../sessions/shared/shared-sessions.js';
import { getSession } from './get-session.js';
import type { McpMethod } from './mcp-method.interface.js';
import { parseResourceUri } from './parse-resource-uri.js';

/** Ends the subscription of a session to the changes of a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
export class ResourcesUnsubscribeMethod implements McpMethod {
  readonly method = 'resources/unsubscribe';

  constructor(
    private readonly sessions: SharedSessions,
    private readonly resources: ResourceAccess,
  ) {}

  handle(context: RequestContext): Encoded | Promise<Encoded> {
    const uri = this.resources.normalize(parseResourceUri(context));
    const told = this.sessions.unsubscribe(getSession(context), uri);
    return told?.then(() => ({})) ?? {};
  }
}
