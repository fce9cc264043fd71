import type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
} from './credential-store.js';
import { hashCredentialKey, normalizeServerUrl } from './credential-key.js';
import { CredentialMutex } from './credential-lock.js';

interface Entry extends CredentialKey {
  readonly credentials: StoredCredentials;
}

/**
 * Stores credentials in memory, until the process ends.
 *
 * @example
 * const tokenSource = new OAuthTokenSource({ serverUrl, store: new MemoryCredentialStore() });
 */
export class MemoryCredentialStore implements CredentialStore {
  readonly #entries = new Map<string, Entry>();
  readonly #mutex = new CredentialMutex();

  async get(key: CredentialKey): Promise<StoredCredentials | undefined> {
    return structuredClone(this.#entries.get(hashCredentialKey(key))?.credentials);
  }

  async set(key: CredentialKey, credentials: StoredCredentials): Promise<void> {
    const serverUrl = normalizeServerUrl(key.serverUrl);
    const entry = { serverUrl, issuer: key.issuer, credentials: structuredClone(credentials) };
    this.#entries.set(hashCredentialKey(key), entry);
  }

  async delete(key: CredentialKey): Promise<void> {
    this.#entries.delete(hashCredentialKey(key));
  }

  async issuers(serverUrl: string): Promise<readonly string[]> {
    const wanted = normalizeServerUrl(serverUrl);
    return [...this.#entries.values()].flatMap((entry) => (entry.serverUrl === wanted ? [entry.issuer] : []));
  }

  async exclusively<Result>(
    key: CredentialKey,
    work: () => Promise<Result>,
    options?: ExclusiveOptions,
  ): Promise<Result> {
    return this.#mutex.run(hashCredentialKey(key), work, options);
  }
}
