import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { McpError } from '../protocol/mcp.error.js';
import { SessionRegistry } from '../sessions/session-registry.js';
import { getSession } from './get-session.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Subscribes a session to the changes of a resource (MCP 2025-11-25 server/resources, "Subscriptions"). */
@Injectable()
export class ResourcesSubscribeMethod implements McpMethod {
  readonly method = 'resources/subscribe';

  constructor(private readonly sessions: SessionRegistry) {}

  handle(context: RequestContext): Record<string, never> {
    this.sessions.subscribe(getSession(context), parseUri(context));
    return {};
  }
}

/** Ends such a subscription. */
@Injectable()
export class ResourcesUnsubscribeMethod implements McpMethod {
  readonly method = 'resources/unsubscribe';

  constructor(private readonly sessions: SessionRegistry) {}

  handle(context: RequestContext): Record<string, never> {
    this.sessions.unsubscribe(getSession(context), parseUri(context));
    return {};
  }
}

const LONGEST_URI = 8192;

function parseUri({ params }: RequestContext): string {
  const { uri } = params;
  if (typeof uri === 'string' && uri !== '' && uri.length <= LONGEST_URI) return uri;
  throw McpError.invalidParams(`"uri" must be a string of 1 to ${LONGEST_URI} characters`);
}
