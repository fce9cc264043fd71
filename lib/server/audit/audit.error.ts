import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';

/** Refuses an operation, or its result, because no record of it can be kept. */
export class AuditError extends McpError {
  /** Nothing was done: nobody would have kept it. */
  static unheard(): AuditError {
    const text =
      'The server must keep a record of each operation, and cannot do so at the moment: try again later';
    return new AuditError(ErrorCode.InternalError, text, undefined, 503);
  }

  /** Nothing was done: what this caller did before is not kept yet. */
  static crowded(): AuditError {
    const text = 'The records of your earlier operations are not kept yet: try again later';
    return new AuditError(ErrorCode.RateLimited, text, { retryAfterMs: 5000 }, 429);
  }

  /** Something was done, and not kept: what came of it is not told. */
  static unkept(): AuditError {
    const text =
      'The server could not keep a record of this operation, so its result is withheld; the operation may have happened';
    return new AuditError(ErrorCode.InternalError, text, undefined, 500);
  }
}
