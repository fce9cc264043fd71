import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { getSession } from './get-session.js';
import type { McpMethod } from './mcp-method.interface.js';
import { parseResourceUri } from './parse-resource-uri.js';

/** Ends the subscription of a session to the changes of a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
@Injectable()
export class ResourcesUnsubscribeMethod implements McpMethod {
  readonly method = 'resources/unsubscribe';

  constructor(private readonly sessions: SessionRegistry) {}

  handle(context: RequestContext): Record<string, never> {
    this.sessions.unsubscribe(getSession(context), parseResourceUri(context));
    return {};
  }
}
