import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import type { CallerEnd, CallerPart } from '../sessions/callers/caller-end.js';
import { isMeant } from '../sessions/callers/caller-filter.js';
import type { EndedOfCaller } from '../sessions/callers/mcp-sessions.interface.js';
import type { StatelessRequests } from '../sessions/in-flight-requests.js';
import type { ListenerRegistry } from './listener-registry.js';

/** Ends callers' requests outside sessions: subscriptions with their result, and all others with an error. */
export class CallerRequests implements CallerPart {
  constructor(
    private readonly detached: StatelessRequests,
    private readonly listeners: ListenerRegistry,
  ) {}

  endOf({ terms }: CallerEnd): Partial<EndedOfCaller> {
    const ending = this.detached
      .all()
      .filter(({ identity, auth: { claims } }) => isMeant(terms, { identity, claims }));
    const finished = this.listeners.endAmong(ending);
    for (const context of ending) if (!finished.has(context)) context.fail(createError());
    return { streams: ending.length };
  }
}

function createError(): McpError {
  return new McpError(ErrorCode.InternalError, 'You were logged out while the call was running');
}
