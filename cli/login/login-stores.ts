import type {
  CredentialKey,
  CredentialStore,
  ExclusiveOptions,
  StoredCredentials,
} from '../../lib/client/authorization/index.js';

/** Wraps a store; everything that is not about single credentials is passed on to it. */
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
