import { fail, positive } from '../../core/checks/option-checks.js';
import { optionGroup, type OptionGroup } from '../../core/checks/option-group.js';

/** Limits on the state that handlers store for callers with `context.state`. */
export interface StateOptions {
  /**
   * How long a value is stored, in milliseconds, unless its writer sets a different lifetime. @default 3_600_000 (1
   * hour) @see docs/state.md
   */
  readonly ttlMs?: number;
  /** The maximum size of a value as JSON, in bytes. A larger one fails with `StateError`. @default 16_384 */
  readonly valueBytes?: number;
  /**
   * The maximum total size of a caller's or a handle's values, in bytes. Values beyond it fail with `StateError`.
   * @default 65_536
   */
  readonly maxBytes?: number;
  /** The maximum number of handles with values per caller. Creating another handle evicts the least recently used one. @default 100 */
  readonly maxHandles?: number;
  /**
   * The maximum number of handles for all anonymous callers combined, including their sessions with state.
   * @default 10_000
   */
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
