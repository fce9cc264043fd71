import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { assertConcise } from '../../memory/memory-hold.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { Call, Step } from '../step.js';

/** Refuses every request of a server that shuts down. Those that run are not touched. */
export class Closed implements Step {
  isWanted = false;

  close(): void {
    this.isWanted = true;
  }

  refuse(): McpError {
    return McpError.shuttingDown(503);
  }
}

/** Refuses a request under the id of a running one: only one of them could be cancelled. */
export class DuplicateId implements Step {
  refuse({ context, arrival }: Call): McpError | undefined {
    return arrival.inFlight.has(context.id)
      ? McpError.invalidRequest('"id" is that of a running request')
      : undefined;
  }
}

/** Limits how many requests one session or connection may have running. */
export class RunningLimit implements Step {
  constructor(private readonly settings: Pick<ServerSettings, 'limits'>) {}

  refuse({ arrival: { inFlight } }: Call): McpError | undefined {
    if (inFlight.size < this.settings.limits.requestsInFlight) return undefined;
    const text = 'There are too many requests at once: wait for answers first';
    return new McpError(ErrorCode.InternalError, text);
  }
}

/** Refuses a long `_meta`: a request keeps it as long as it runs, and few handlers look at it. */
export class ConciseMeta implements Step {
  /** @throws {McpError} -32602 if it is too long */
  admit({ context: { memory, meta } }: Call): undefined {
    if (memory !== undefined) assertConcise(meta, '"_meta"', memory);
  }
}
