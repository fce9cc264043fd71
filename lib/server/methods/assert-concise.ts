import { McpError } from '../../core/protocol/mcp.error.js';
import { HeapCost } from '../memory/heap-costs.js';
import type { MemoryHold } from '../memory/memory-hold.js';

/** In characters of JSON. */
const LONGEST_CONCISE = 65_536;

/**
 * Refuses a long value that would be kept as long as a session or a stream lasts. Many of them would fill the memory.
 *
 * @param named what the caller calls it, with its quotes
 * @param whole the size of the whole request. A small request cannot contain a long value, and is not checked
 * @throws {McpError} -32602 if it is too long, or too deep to tell
 */
export function assertConcise(kept: object, named: string, whole?: Pick<MemoryHold, 'bytes'>): void {
  if (whole !== undefined && whole.bytes < HeapCost.request + LONGEST_CONCISE) return;
  if (format(kept, named).length <= LONGEST_CONCISE) return;
  throw McpError.invalidParams(`${named} may have ${LONGEST_CONCISE} characters of JSON at most`);
}

function format(kept: object, named: string): string {
  try {
    return JSON.stringify(kept);
  } catch {
    throw McpError.invalidParams(`${named} may not be nested too deeply`);
  }
}
