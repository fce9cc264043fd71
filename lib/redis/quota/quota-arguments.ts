import type { ClusterRecordOwner } from '../../server/settings/cluster/cluster.interface.js';
import { listQuotaKeys, type RedisKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/redis-options.js';

/** The share of a caller with a token, who has a separate quota. */
const WHOLE = '-';

/** The keys and arguments that scripts need to count a record. */
interface FormattedOwner {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** Formats a record's owner, and the owner's limits, for scripts. */
export function formatOwner(
  name: string,
  owner: ClusterRecordOwner | undefined,
  { keys, quotas }: { readonly keys: Pick<RedisKeys, 'quota'>; readonly quotas: QuotaSettings },
): FormattedOwner {
  if (owner === undefined) return { keys: [], values: ['0'] };
  const { caller, share = WHOLE } = owner;
  const { maxBytesPerCaller, maxAnonymousBytes, maxBytesPerAddress } = quotas;
  if (caller === undefined) {
    const limits = [`${maxBytesPerAddress}`, `${maxAnonymousBytes}`];
    return { keys: keys.quota(), values: ['1', name, share, ...limits, '0'] };
  }
  const limit = `${maxBytesPerCaller}`;
  return {
    keys: [...keys.quota(caller), ...keys.quota()],
    values: ['1', name, WHOLE, limit, limit, '1'],
  };
}

const QUOTA_KEYS = listQuotaKeys('').length;

/** The keys and arguments of the script that removes records. */
interface FormattedRemoval {
  readonly keys: readonly [string, ...string[]];
  readonly values: readonly string[];
}

/**
 * Formats the removal of evicted records. A script may delete only keys that were passed to it, so a second script
 * does this. Returns `undefined` if there are none.
 *
 * @param surplus the list from a script that counts records: each record's quota index, name and order
 * @param given the keys passed to that script
 */
export function formatRemoval(
  surplus: readonly string[],
  given: readonly string[],
  keys: Pick<RedisKeys, 'record'>,
): FormattedRemoval | undefined {
  const removed = new Map<string, FormattedRemoval>();
  for (let index = 0; index < surplus.length; index += 3) {
    const [at, name = '', order = ''] = surplus.slice(index, index + 3);
    const first = Number(at) - 1;
    removed.set(name, {
      keys: [keys.record(name), ...given.slice(first, first + QUOTA_KEYS)],
      values: [name, order],
    });
  }
  const all = [...removed.values()];
  const [key, ...others] = all.flatMap((one) => one.keys);
  return key === undefined
    ? undefined
    : { keys: [key, ...others], values: all.flatMap(({ values }) => values) };
}
