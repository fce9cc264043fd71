import { getHeapStatistics } from 'node:v8';
import type { MemoryOptions } from './limit-options.interface.js';
import type { McpOptions } from './mcp-options.interface.js';
import { onlyGiven } from './only-given.js';

/** Estimates are high, and requests take as much again while they are parsed and answered: the rest of the heap is for that. */
const HEAP_SHARE = 0.25;

/** Strangers at one address have one of so many parts. */
const ADDRESS_SHARE = 10;

/** The memory of a request in addition to its text. */
const REQUEST_BYTES = 65_536;

/** Fills every default of the bounds of memory in. */
export function buildMemorySettings(
  { memory, auth }: McpOptions,
  bodyBytes: number,
): Required<MemoryOptions> {
  const given = onlyGiven(memory);
  const maximumBytes = given.maximumBytes ?? Math.floor(getHeapStatistics().heap_size_limit * HEAP_SHARE);
  const maximumBytesOfStrangers =
    given.maximumBytesOfStrangers ?? (auth ? Math.floor(maximumBytes / 2) : maximumBytes);
  return {
    maximumBytes,
    maximumBytesOfStrangers,
    maximumBytesPerIdentity: given.maximumBytesPerIdentity ?? Math.floor(maximumBytes / 4),
    maximumBytesPerAddress:
      given.maximumBytesPerAddress ?? selectAddressShare(maximumBytesOfStrangers, bodyBytes),
  };
}

/** With little memory the part is larger, so that the longest body finds room in it: a text takes up to two bytes for one. */
function selectAddressShare(ofStrangers: number, bodyBytes: number): number {
  const longest = Math.min(2 * bodyBytes + REQUEST_BYTES, ofStrangers / 2);
  return Math.floor(Math.max(ofStrangers / ADDRESS_SHARE, longest));
}
