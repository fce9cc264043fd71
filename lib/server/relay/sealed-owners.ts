import { createHmac } from 'node:crypto';
import type { Keyring } from '../../core/sealing/keyring.js';
import type { ClusterRecordOwner } from '../settings/cluster/cluster.interface.js';

/** Names the owners of records so that only who knows the secret can tell who they are. */
export class SealedOwners {
  readonly #key: Buffer;

  /** @throws {RangeError} if there is no secret */
  constructor(keyring: Keyring) {
    const [key] = keyring.derive('record owner');
    if (key === undefined) throw new RangeError('There is no secret to name owners with');
    this.#key = key;
  }

  seal({ caller, share }: ClusterRecordOwner): ClusterRecordOwner {
    return {
      ...(caller !== undefined && { caller: this.#digest(caller) }),
      ...(share !== undefined && { share: this.#digest(share) }),
    };
  }

  #digest(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
