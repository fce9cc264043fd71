import { nameAccount } from '../memory/memory-account.js';
import type { ClusterRecordOwner } from '../settings/cluster/cluster.interface.js';

/** A value's owner. */
interface RecordOwner {
  readonly identity?: string | undefined;
  readonly address?: string | undefined;
  /** The session; used if the address is unknown. */
  readonly key?: string | undefined;
}

/**
 * Builds the owner toward which the backend counts a record's bytes. The limits apply to all of a caller's records
 * together.
 */
export function buildRecordOwner({ identity, address, key }: RecordOwner): ClusterRecordOwner {
  if (identity !== undefined) return { caller: nameAccount(identity) };
  const share = address === undefined ? key && `session ${key}` : `address ${address}`;
  return share === undefined ? {} : { share };
}
