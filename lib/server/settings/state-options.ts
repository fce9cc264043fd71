import { fail, positive } from '../../core/checks/option-checks.js';
import { optionGroup, type OptionGroup } from '../../core/checks/option-group.js';

/** Bounds of the state that handlers keep for callers, by `context.state`. */
export interface StateOptions {
  /** Milliseconds for which a value is kept, unless its writer sets another time. @default 3_600_000 (1 hour) @see docs/state.md */
  readonly ttlMs?: number;
  /** Bytes that one value may have as JSON. A longer one fails with `StateError`. @default 16_384 */
  readonly valueBytes?: number;
  /** Bytes of all values of a caller, or of a handle. More fail with `StateError`. @default 65_536 */
  readonly maxBytes?: number;
  /** The most handles with values of one caller. A further handle removes the least recently used one. @default 100 */
  readonly maxHandles?: number;
  /** The same for all callers without a token together, including their sessions with state. @default 10_000 */
  readonly maxAnonymousHandles?: number;
}

export const STATE: OptionGroup<StateOptions> = optionGroup<StateOptions>(
  {
    ttlMs: [positive, 60 * 60_000],
    valueBytes: [positive, 16_384],
    maxBytes: [positive, 65_536],
    maxHandles: [positive, 100],
    maxAnonymousHandles: [positive, 10_000],
  },
  {
    together: (option, given) => {
      const { valueBytes, maxBytes } = STATE.build(given);
      if (valueBytes <= maxBytes) return;
      fail(`${option}.maxBytes`, `must be at least "valueBytes", which is ${valueBytes}`);
    },
  },
);
