import type { ProgressToken } from '../json-rpc.js';
import type { Revision } from '../revisions.js';
import type { Encoded } from './encode-definition.js';

/** The progress of a request (MCP basic/utilities/progress). */
export interface ProgressReport {
  readonly progressToken: ProgressToken;
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** Encodes progress as far as the revision defines it. */
export function encodeProgress(report: ProgressReport, { defines }: Revision): Encoded {
  const { progressToken, progress, total, message } = report;
  return {
    progressToken,
    progress,
    ...(Number.isFinite(total) && { total }),
    ...(message !== undefined && defines.progressMessage && { message }),
  };
}

/** Returns whether a client requested progress. */
export function isProgressToken(value: unknown): value is ProgressToken {
  return typeof value === 'string' || Number.isInteger(value);
}
