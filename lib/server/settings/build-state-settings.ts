import type { StateOptions } from './state-options.interface.js';

/** Fills every default in. */
export function buildStateSettings(given: StateOptions = {}): Required<StateOptions> {
  return {
    ttlMs: given.ttlMs ?? 60 * 60_000,
    valueBytes: given.valueBytes ?? 16_384,
    maximumBytes: given.maximumBytes ?? 65_536,
    maximumHandles: given.maximumHandles ?? 100,
    maximumAnonymousHandles: given.maximumAnonymousHandles ?? 10_000,
  };
}
