import { positive } from '../../core/checks/option-checks.js';
import type { Rows } from '../../core/checks/option-group.js';

/** Bounds of what callers may make the server store in Redis. With `redisCluster()`, sessions and state have as much as tasks. */
export interface QuotaOptions {
  /** Bytes of one caller with a token. The oldest finished tasks make room for others. @default 33_554_432 @see docs/scaling.md, "Bytes of each caller" */
  readonly maxBytesPerCaller?: number;
  /** Bytes of all callers without a token together. @default 33_554_432 */
  readonly maxAnonymousBytes?: number;
  /**
   * Bytes of the callers without a token at one address. IPv6 addresses count by their first 64 bits.
   * @default a tenth of `maxAnonymousBytes`, at least 8_388_608, at most half
   */
  readonly maxBytesPerAddress?: number;
}

/** The options with their defaults. */
export type QuotaSettings = Required<QuotaOptions>;

const DEFAULT_BYTES = 32 * 1024 * 1024;

/** The callers at one address have one of so many parts. */
const ADDRESS_SHARE = 10;

/** With few bytes the part is larger, so that the longest body finds room in it. */
const LEAST_OF_ADDRESS = 8 * 1024 * 1024;

/** The rows of both engines' bounds. */
export const QUOTAS: Rows<QuotaOptions> = {
  maxBytesPerCaller: [positive, DEFAULT_BYTES],
  maxAnonymousBytes: [positive, DEFAULT_BYTES],
  maxBytesPerAddress: [
    positive,
    ({ maxAnonymousBytes }) => {
      const least = Math.min(LEAST_OF_ADDRESS, maxAnonymousBytes / 2);
      return Math.floor(Math.max(maxAnonymousBytes / ADDRESS_SHARE, least));
    },
  ],
};
