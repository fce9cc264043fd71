import { LRUCache } from 'lru-cache';
import type { AuthorizationStorage } from '../../core/oauth/authorization-storage.interface.js';

/** The maximum size of all entries of one kind, in bytes. Logins started by anonymous callers cannot evict registrations. */
const MAXIMUM_BYTES_OF_A_KIND = 8 * 1024 * 1024;

/** The heap memory an entry needs in addition to its two strings, in bytes. */
const ENTRY_BYTES = 400;

/** Stores entries in this process's memory. The least recently used entries of each kind are evicted first. */
export class MemoryAuthorizationStorage implements AuthorizationStorage {
  readonly #kinds = new Map<string, LRUCache<string, string>>();

  async get(key: string): Promise<string | undefined> {
    return this.#findKind(key).get(key);
  }

  async set(key: string, value: string, expiresInSeconds: number): Promise<void> {
    this.#findKind(key).set(key, value, { ttl: expiresInSeconds * 1000 });
  }

  async add(key: string, value: string, expiresInSeconds: number): Promise<boolean> {
    const kind = this.#findKind(key);
    if (kind.get(key) !== undefined) return false;
    kind.set(key, value, { ttl: expiresInSeconds * 1000 });
    return true;
  }

  async take(key: string): Promise<string | undefined> {
    const kind = this.#findKind(key);
    const value = kind.get(key);
    kind.delete(key);
    return value;
  }

  /** Kinds are only defined by this package, so there are few. */
  #findKind(key: string): LRUCache<string, string> {
    const name = key.slice(0, key.indexOf(':'));
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    const kind = new LRUCache<string, string>({
      maxSize: MAXIMUM_BYTES_OF_A_KIND,
      sizeCalculation: (value, one) => ENTRY_BYTES + value.length + one.length,
    });
    this.#kinds.set(name, kind);
    return kind;
  }
}
