import { StateError } from '../context/state.error.js';
import { countBytes, withValue, type KeptValues } from './kept-values.js';
import type { ChangeOutcome, ValueChange } from './state-store.interface.js';

/** What a change makes of the values of a place. */
export interface AppliedChange {
  readonly outcome: ChangeOutcome;
  /** Absent if nothing changes. */
  readonly next?: KeptValues;
}

/**
 * Applies a change to the values of a place.
 *
 * @throws {StateError} `too_large` if they would have more bytes than they may
 */
export function applyChange(
  values: KeptValues,
  { key, from, to }: ValueChange,
  maxBytes: number,
): AppliedChange {
  const present = values.get(key);
  const wasThere = present !== undefined;
  if (from !== undefined && from.json !== present?.json) return { outcome: { isDone: false, wasThere } };
  const outcome = { isDone: true, wasThere };
  if (to === undefined && !wasThere) return { outcome };
  const next = withValue(values, key, to);
  const bytes = countBytes(next);
  if (to !== undefined && bytes > maxBytes) throw StateError.tooLarge('state.maxBytes', bytes, maxBytes);
  return { outcome, next };
}
