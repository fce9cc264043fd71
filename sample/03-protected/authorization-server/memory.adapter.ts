import { LRUCache } from 'lru-cache';
import type { Adapter, AdapterPayload } from 'oidc-provider';

const MOST_ENTRIES = 1000;

/** Keeps what the authorization server has to remember of one kind, such as clients or sessions, until the process ends. */
export class MemoryAdapter implements Adapter {
  readonly #entries = new LRUCache<string, AdapterPayload>({ max: MOST_ENTRIES });

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds?: number): Promise<void> {
    this.#entries.set(id, payload, expiresInSeconds === undefined ? {} : { ttl: expiresInSeconds * 1000 });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#entries.get(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#list().find((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#list().find((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#entries.get(id);
    if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id);
  }

  #list(): AdapterPayload[] {
    return [...this.#entries.values()];
  }
}
