import type { CredentialKey, StoredCredentials } from '../../lib/client/authorization/index.js';
import { formatKey, StoreView } from './store-view.js';

/** The credentials that a login replaced. */
export interface ReplacedLogin {
  readonly key: CredentialKey;
  readonly credentials: StoredCredentials;
}

/**
 * Shows a store as if nobody had logged in, so that a new login is needed. Tokens that are stored through it become
 * visible. A login that was there stays as it is until then, whatever becomes of the attempt.
 */
export class TokenlessStore extends StoreView {
  readonly replaced: ReplacedLogin[] = [];
  /** What is known if a login stands that is not to be touched. */
  readonly #heldBack = new Map<string, StoredCredentials>();
  readonly #loggedIn = new Set<string>();

  async get(key: CredentialKey): Promise<StoredCredentials | undefined> {
    const kept = await this.store.get(key);
    if (!this.#isHidden(key, kept)) return kept;
    const { tokens: _tokens, ...others } = kept ?? {};
    return this.#heldBack.get(formatKey(key)) ?? others;
  }

  async set(key: CredentialKey, credentials: StoredCredentials): Promise<void> {
    const kept = await this.store.get(key);
    const isHidden = this.#isHidden(key, kept);
    if (isHidden && credentials.tokens === undefined) {
      this.#heldBack.set(formatKey(key), credentials);
      return;
    }
    await this.store.set(key, credentials);
    if (credentials.tokens === undefined) return;
    this.#loggedIn.add(formatKey(key));
    if (isHidden && kept !== undefined) this.replaced.push({ key, credentials: kept });
  }

  async delete(key: CredentialKey): Promise<void> {
    if (this.#isHidden(key, await this.store.get(key))) this.#heldBack.set(formatKey(key), {});
    else await this.store.delete(key);
  }

  #isHidden(key: CredentialKey, kept: StoredCredentials | undefined): boolean {
    return kept?.tokens !== undefined && !this.#loggedIn.has(formatKey(key));
  }
}
