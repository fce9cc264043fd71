import { createHmac } from 'node:crypto';
import { deriveKey } from '../../core/sealing/derive-key.js';
import type { ClusterRecordOwner } from '../settings/cluster/cluster.interface.js';

/** Names the owners of records so that only who knows the secret can tell who they are. */
export class SealedOwners {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = deriveKey(secret, 'owner');
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
