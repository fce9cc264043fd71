import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { isLogLevel, LOG_LEVELS } from '../../core/protocol/log-level.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { RequestContext } from '../context/request-context.js';
import type { SharedSessions } from '../sessions/shared/shared-sessions.js';
import { getSession } from './get-session.js';
import type { McpMethod } from './mcp-method.interface.js';

/** Sets the lowest level of log entries that a session is sent (MCP 2025-11-25 server/utilities/logging). */
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
