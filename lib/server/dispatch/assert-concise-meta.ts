import type { RequestContext } from '../context/request-context.js';
import { assertConcise, LONGEST_CONCISE } from '../methods/assert-concise.js';
import { HeapCost } from '../memory/heap-costs.js';

/**
 * Refuses a long `_meta`: a request keeps it as long as it runs, and few handlers look at it.
 *
 * @throws {McpError} -32602 where it is too long
 */
export function assertConciseMeta({ memory, meta }: RequestContext): void {
  // Only what is large as a whole can have one.
  if (memory === undefined || memory.bytes < HeapCost.request + LONGEST_CONCISE) return;
  assertConcise(meta, '"_meta"');
}
