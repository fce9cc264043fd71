import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { ResumptionFailure } from '../../../sessions/streams/stream-reading.interface.js';

/** Creates the error for a client that cannot resume a stream. */
export function createResumptionError(failure: ResumptionFailure): McpError {
  return failure === 'unknown'
    ? McpError.invalidRequest('"Last-Event-ID" is not the id of an event of this session')
    : new McpError(
        ErrorCode.InvalidRequest,
        'Invalid request: "Last-Event-ID" is too old, events after it are no longer kept',
        { reason: 'event-id-expired' },
        400,
      );
}
