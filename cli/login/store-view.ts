import type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
} from '../../lib/client/authorization/index.js';

/** Shows a store in another way; what is not about single credentials is that of the store. */
export abstract class StoreView implements CredentialStore {
  constructor(protected readonly store: CredentialStore) {}

  abstract get(key: CredentialKey): Promise<StoredCredentials | undefined>;

  abstract set(key: CredentialKey, credentials: StoredCredentials): Promise<void>;

  abstract delete(key: CredentialKey): Promise<void>;

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
}

/** Names what is kept for a server and an issuer. */
export function formatKey({ serverUrl, issuer }: CredentialKey): string {
  return JSON.stringify([serverUrl, issuer]);
}
