import { setTimeout as delay } from 'node:timers/promises';
import type { SealedRecords } from '../storage/sealed-records.js';
import { UpstreamError, type UpstreamClient, type UpstreamTokens } from './upstream-client.js';

/** How many seconds before expiry a token is refreshed, so that it remains valid for the call it is needed for. */
const REFRESH_BEFORE_SECONDS = 30;

/** How long a refresh in another process may last: its request timeout, plus a margin. */
const LOCK_SECONDS = 15;
const POLL_MS = 100;

/**
 * Stores the tokens that the identity provider issued for each user. They are encrypted, and never sent to a client. If
 * the provider refuses to refresh them, for example because the user has left the company, the user must log in again.
 */
export class UpstreamTokenStore {
  readonly #refreshing = new Map<string, Promise<UpstreamTokens | undefined>>();

  constructor(
    private readonly records: SealedRecords,
    private readonly upstream: UpstreamClient,
    private readonly lifetimeSeconds: number,
  ) {}

  async store(subject: string, tokens: UpstreamTokens): Promise<void> {
    await this.records.write('UpstreamTokens', subject, { ...tokens }, this.lifetimeSeconds);
  }

  /**
   * Returns the provider's tokens for a user, with a valid access token. Concurrent calls share one refresh, even
   * across processes. Returns `undefined` if the user has to log in again.
   *
   * @throws {UpstreamError} if the provider cannot be reached
   */
  async find(subject: string): Promise<UpstreamTokens | undefined> {
    const tokens = await this.#read(subject);
    if (tokens === undefined || !isUsable(tokens)) return undefined;
    if (isCurrent(tokens)) return tokens;
    const known = this.#refreshing.get(subject);
    if (known !== undefined) return known;
    const refreshed = this.#refresh(subject).finally(() => this.#refreshing.delete(subject));
    this.#refreshing.set(subject, refreshed);
    return refreshed;
  }

  /** Returns whether the user has to log in again before the provider's tokens can be used. */
  async needsLogin(subject: string): Promise<boolean> {
    const tokens = await this.#read(subject);
    return tokens === undefined || !isUsable(tokens);
  }

  async #refresh(subject: string): Promise<UpstreamTokens | undefined> {
    for (let waitedMs = 0; !(await this.#lock(subject)); waitedMs += POLL_MS) {
      if (waitedMs > LOCK_SECONDS * 1000)
        throw new UpstreamError("Another process is refreshing the provider's token");
      await delay(POLL_MS);
    }
    try {
      // Another process may have refreshed them in the meantime, and the provider may accept a refresh token only once.
      const tokens = await this.#read(subject);
      if (tokens === undefined || isCurrent(tokens)) return tokens;
      return tokens.refreshToken === undefined
        ? undefined
        : await this.#exchange(subject, tokens.refreshToken);
    } finally {
      await this.records.take('UpstreamRefresh', subject);
    }
  }

  async #exchange(subject: string, refreshToken: string): Promise<UpstreamTokens | undefined> {
    try {
      const tokens = await this.upstream.refresh(refreshToken);
      await this.store(subject, tokens);
      return tokens;
    } catch (error) {
      if (!(error instanceof UpstreamError) || !error.isRefusal) throw error;
      await this.records.take('UpstreamTokens', subject);
      await this.records.take('User', subject);
      return undefined;
    }
  }

  async #read(subject: string): Promise<UpstreamTokens | undefined> {
    return (await this.records.read('UpstreamTokens', subject)) as UpstreamTokens | undefined;
  }

  #lock(subject: string): Promise<boolean> {
    return this.records.add('UpstreamRefresh', subject, {}, LOCK_SECONDS);
  }
}

function isUsable(tokens: UpstreamTokens): boolean {
  return isCurrent(tokens) || tokens.refreshToken !== undefined;
}

function isCurrent({ expiresAt = Number.POSITIVE_INFINITY }: UpstreamTokens): boolean {
  return expiresAt - REFRESH_BEFORE_SECONDS > Date.now() / 1000;
}
