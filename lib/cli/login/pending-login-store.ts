import type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
} from '../../client/authorization/index.js';

/**
 * Shows a store as a login leaves it, and writes no client into it that has not logged in yet: what an attempt that fails, or is
 * interrupted, was begun with is nowhere then. A mistyped client id is in nobody's way at the next attempt.
 */
export class PendingLoginStore implements CredentialStore {
  /** What would be kept if the attempt succeeded. */
  readonly #pending = new Map<string, StoredCredentials>();

  constructor(private readonly store: CredentialStore) {}

  async get(key: CredentialKey): Promise<StoredCredentials | undefined> {
    return this.#pending.get(formatKey(key)) ?? this.store.get(key);
  }

  async set(key: CredentialKey, credentials: StoredCredentials): Promise<void> {
    if (credentials.tokens === undefined && !(await this.#isKnown(key, credentials))) {
      this.#pending.set(formatKey(key), credentials);
      return;
    }
    this.#pending.delete(formatKey(key));
    await this.store.set(key, credentials);
  }

  async delete(key: CredentialKey): Promise<void> {
    if (this.#pending.delete(formatKey(key))) return;
    await this.store.delete(key);
  }

  issuers(serverUrl: string): Promise<readonly string[]> {
    return this.store.issuers(serverUrl);
  }

  exclusively<Result>(
    key: CredentialKey,
    work: () => Promise<Result>,
    options?: ExclusiveOptions,
  ): Promise<Result> {
    return this.store.exclusively(key, work, options);
  }

  /** Tells whether the client is one that is kept, such as of a login whose tokens have ended. */
  async #isKnown(key: CredentialKey, { registration }: StoredCredentials): Promise<boolean> {
    const kept = await this.store.get(key);
    return kept?.registration?.clientId === registration?.clientId;
  }
}

/** Names what is kept for a server and an issuer. */
export function formatKey({ serverUrl, issuer }: CredentialKey): string {
  return JSON.stringify([serverUrl, issuer]);
}
