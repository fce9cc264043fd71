import type { ClusterRecordOwner } from '../../server/settings/cluster/cluster.interface.js';
import type { RedisKeys } from '../member/redis-keys.js';
import type { QuotaSettings } from '../settings/quota-options.js';

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
