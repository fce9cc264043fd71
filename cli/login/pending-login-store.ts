import type { CredentialKey, StoredCredentials } from '../../lib/client/authorization/index.js';
import { formatKey, StoreView } from './store-view.js';

/**
 * Shows a store as a login leaves it, and writes no client into it before it has logged in. So an attempt that fails or is
 * interrupted leaves nothing. A mistyped client id is in nobody's way at the next attempt.
 */
export class PendingLoginStore extends StoreView {
  /** What would be kept if the attempt succeeded. */
  readonly #pending = new Map<string, StoredCredentials>();

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

  /** Tells whether the stored credentials have this client, for example after its tokens have expired. */
  async #isKnown(key: CredentialKey, { registration }: StoredCredentials): Promise<boolean> {
    const kept = await this.store.get(key);
    return kept?.registration?.clientId === registration?.clientId;
  }
}
