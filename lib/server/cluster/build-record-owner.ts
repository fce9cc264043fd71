import { nameAccount } from '../memory/memory-account.js';
import type { ClusterRecordOwner } from '../settings/cluster/cluster.interface.js';

/** Whose something is. */
interface RecordOwner {
  readonly identity?: string | undefined;
  readonly address?: string | undefined;
  /** The session; counts if no address is known. */
  readonly key?: string | undefined;
}

/** Tells the engine whose bytes a record takes: bounds hold for all keys of a caller together. */
export function buildRecordOwner({ identity, address, key }: RecordOwner): ClusterRecordOwner {
  if (identity !== undefined) return { caller: nameAccount(identity) };
  const share = address === undefined ? key && `session ${key}` : `address ${address}`;
  return share === undefined ? {} : { share };
}
