import { LRUCache } from 'lru-cache';
import { Cipher } from '../../core/sealing/cipher.js';
import { FieldCipher } from '../../core/sealing/field-cipher.js';
import type { Keyring } from '../../core/sealing/keyring.js';
import type { AuthorizationStorage, StorageCount } from '../../core/oauth/authorization-storage.interface.js';

/** A stored value that can be serialized as JSON. */
export type StoredRecord = Readonly<Record<string, unknown>>;

const MOST_COUNTERS = 20_000;

/**
 * Reads and writes encrypted records, so that anyone with access to the storage can read neither identifiers, such as
 * codes and tokens, nor contents, and cannot move contents to a different identifier.
 */
export class SealedRecords {
  readonly #names: FieldCipher;
  readonly #contents: Cipher;
  /** The least recently used counters are evicted first. */
  readonly #counts = new LRUCache<string, number>({ max: MOST_COUNTERS });

  constructor(
    private readonly storage: AuthorizationStorage,
    keyring: Keyring,
  ) {
    this.#names = new FieldCipher(keyring);
    this.#contents = new Cipher('authorization-server', keyring);
  }

  /** Returns a record, or `undefined` if it does not exist, has expired, or cannot be decrypted with this server's secrets. */
  async read(kind: string, id: string): Promise<StoredRecord | undefined> {
    for (const key of this.#listKeys(kind, id)) {
      const sealed = await this.storage.get(key);
      if (sealed !== undefined) return this.#open(sealed, kind, id);
    }
    return undefined;
  }

  async write(kind: string, id: string, record: StoredRecord, expiresInSeconds: number): Promise<void> {
    await this.storage.set(this.#formatKey(kind, id), this.#seal(record, kind, id), expiresInSeconds);
  }

  /** Writes a record unless it exists. Returns whether it was written. */
  async add(kind: string, id: string, record: StoredRecord, expiresInSeconds: number): Promise<boolean> {
    return this.storage.add(this.#formatKey(kind, id), this.#seal(record, kind, id), expiresInSeconds);
  }

  /** Removes a record and returns it. Of several concurrent calls, only one receives it. */
  async take(kind: string, id: string): Promise<StoredRecord | undefined> {
    let found: StoredRecord | undefined;
    for (const key of this.#listKeys(kind, id)) {
      const sealed = await this.storage.take(key);
      if (sealed !== undefined) found ??= this.#open(sealed, kind, id);
    }
    return found;
  }

  /** Increments a counter, in this process if the storage cannot count. */
  async increment(kind: string, id: string, expiresInSeconds: number): Promise<StorageCount> {
    const key = this.#formatKey(kind, id);
    if (this.storage.increment !== undefined) return this.storage.increment(key, expiresInSeconds);
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count, count === 1 ? { ttl: expiresInSeconds * 1000 } : { noUpdateTTL: true });
    return { count, expiresInSeconds: this.#counts.getRemainingTTL(key) / 1000 };
  }

  #seal(record: StoredRecord, kind: string, id: string): string {
    return this.#contents.encrypt(JSON.stringify(record), `${kind} ${id}`);
  }

  #open(sealed: string, kind: string, id: string): StoredRecord | undefined {
    const text = this.#contents.decrypt(sealed, `${kind} ${id}`);
    return text === undefined ? undefined : (JSON.parse(text) as StoredRecord);
  }

  #formatKey(kind: string, id: string): string {
    return `${kind}:${this.#names.encrypt(id, kind)}`;
  }

  #listKeys(kind: string, id: string): readonly string[] {
    return this.#names.encryptByEach(id, kind).map((name) => `${kind}:${name}`);
  }
}
