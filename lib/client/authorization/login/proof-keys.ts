import type { StoredCredentials } from '../credentials/credential-store.interface.js';
import { DpopKey } from '../dpop/dpop-key.js';
import { DpopProof } from '../dpop/dpop-proof.js';

/** Knows the key of bound tokens: a given one, or one that is stored with them. */
export class ProofKeys {
  /** The proofs by the thumbprint of their keys: each remembers the nonces of its servers. */
  readonly #proofs = new Map<string, DpopProof>();

  /** @param setting a key, or whether there is to be one; `undefined` leaves that to the server */
  constructor(private readonly setting: DpopKey | boolean | undefined) {}

  /** Returns what proves that kept tokens are ours, or `undefined` if they are not bound. */
  async find({ tokens, dpopKey }: StoredCredentials): Promise<DpopProof | undefined> {
    if (tokens?.tokenType !== 'dpop' || dpopKey === undefined || this.setting === false) return undefined;
    const { thumbprint, privateJwk } = dpopKey;
    const known = this.#proofs.get(thumbprint);
    if (known !== undefined) return known;
    if (typeof this.setting === 'object') {
      return this.setting.thumbprint === thumbprint ? this.#remember(this.setting) : undefined;
    }
    return privateJwk === undefined ? undefined : this.#remember(await DpopKey.import(privateJwk));
  }

  /**
   * Gives what the tokens of a login are to be bound to; nothing for bearer tokens.
   *
   * @param isRequired whether the server takes no others
   */
  async create(isRequired: boolean): Promise<DpopProof | undefined> {
    if (!(this.setting ?? isRequired)) return undefined;
    const [known] = this.#proofs.values();
    if (known !== undefined) return known;
    return this.#remember(
      typeof this.setting === 'object' ? this.setting : await DpopKey.generate({ isExtractable: true }),
    );
  }

  #remember(key: DpopKey): DpopProof {
    const proof = new DpopProof(key);
    this.#proofs.set(key.thumbprint, proof);
    return proof;
  }
}
