import type { RequestContext } from '../context/request-context.js';
import { assertConcise } from '../methods/assert-concise.js';

/**
 * Refuses a long `_meta`: a request keeps it as long as it runs, and few handlers look at it.
 *
 * @throws {McpError} -32602 if it is too long
 */
export function assertConciseMeta({ memory, meta }: RequestContext): void {
  if (memory !== undefined) assertConcise(meta, '"_meta"', memory);
}
