import type { ClusterRecordOwner } from '../../server/settings/cluster/cluster.interface.js';
import { listQuotaKeys, type RedisKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/redis-options.js';

/** What a caller with a token shares with nobody. */
const WHOLE = '-';

/** The keys and arguments by which scripts count a record. */
interface FormattedOwner {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** Tells scripts whose record they change, and how much its owner may have. */
export function formatOwner(
  name: string,
  owner: ClusterRecordOwner | undefined,
  { keys, quotas }: { readonly keys: Pick<RedisKeys, 'quota'>; readonly quotas: QuotaSettings },
): FormattedOwner {
  if (owner === undefined) return { keys: [], values: ['0'] };
  const { caller, share = WHOLE } = owner;
  const { maxBytesPerCaller, maxAnonymousBytes, maxBytesPerAddress } = quotas;
  if (caller === undefined) {
    const bounds = [`${maxBytesPerAddress}`, `${maxAnonymousBytes}`];
    return { keys: keys.quota(), values: ['1', name, share, ...bounds, '0'] };
  }
  const bound = `${maxBytesPerCaller}`;
  return {
    keys: [...keys.quota(caller), ...keys.quota()],
    values: ['1', name, WHOLE, bound, bound, '1'],
  };
}

const QUOTA_KEYS = listQuotaKeys('').length;

/** The keys and arguments of the script that removes records. */
interface FormattedRemoval {
  readonly keys: readonly [string, ...string[]];
  readonly values: readonly string[];
}

/**
 * Formats the removal of records that make room for others. A script may delete only keys that it was given, so that another
 * one does it. Returns `undefined` if there are none.
 *
 * @param surplus what a script that counts records listed: the index of a quota, the name of a record and its order, each
 * @param given the keys of that script
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
