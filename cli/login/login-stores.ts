import type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
} from '../../lib/client/authorization/index.js';

/** Wraps a store. Operations on more than one entry are delegated to it. */
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

/** Formats the credentials key for a server and an issuer. */
export function formatKey({ serverUrl, issuer }: CredentialKey): string {
  return JSON.stringify([serverUrl, issuer]);
}

/**
 * A view of a store during a login, which stores the client registration only when the login has succeeded. A failed
 * or interrupted attempt leaves nothing behind, so a mistyped client id does not affect the next attempt.
 */
export class PendingLoginStore extends StoreView {
  /** The credentials to store if the attempt succeeds. */
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

  /** Returns whether the stored credentials have this client, for example after its tokens have expired. */
  async #isKnown(key: CredentialKey, { registration }: StoredCredentials): Promise<boolean> {
    const stored = await this.store.get(key);
    return stored?.registration?.clientId === registration?.clientId;
  }
}

/** The credentials that a login replaced. */
export interface ReplacedLogin {
  readonly key: CredentialKey;
  readonly credentials: StoredCredentials;
}

/**
 * A view of a store without the tokens of earlier logins, so that a new login is required. Tokens that are stored through it become
 * visible. An earlier login remains valid until then, even if the attempt fails.
 */
export class TokenlessStore extends StoreView {
  readonly replaced: ReplacedLogin[] = [];
  /** The attempt's credentials while an earlier login must remain unchanged. */
  readonly #heldBack = new Map<string, StoredCredentials>();
  readonly #loggedIn = new Set<string>();

  async get(key: CredentialKey): Promise<StoredCredentials | undefined> {
    const stored = await this.store.get(key);
    if (!this.#isHidden(key, stored)) return stored;
    const { tokens: _tokens, ...others } = stored ?? {};
    return this.#heldBack.get(formatKey(key)) ?? others;
  }

  async set(key: CredentialKey, credentials: StoredCredentials): Promise<void> {
    const stored = await this.store.get(key);
    const isHidden = this.#isHidden(key, stored);
    if (isHidden && credentials.tokens === undefined) {
      this.#heldBack.set(formatKey(key), credentials);
      return;
    }
    await this.store.set(key, credentials);
    if (credentials.tokens === undefined) return;
    this.#loggedIn.add(formatKey(key));
    if (isHidden && stored !== undefined) this.replaced.push({ key, credentials: stored });
  }

  async delete(key: CredentialKey): Promise<void> {
    if (this.#isHidden(key, await this.store.get(key))) this.#heldBack.set(formatKey(key), {});
    else await this.store.delete(key);
  }

  #isHidden(key: CredentialKey, stored: StoredCredentials | undefined): boolean {
    return stored?.tokens !== undefined && !this.#loggedIn.has(formatKey(key));
  }
}
