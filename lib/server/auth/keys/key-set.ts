import { Logger } from '@nestjs/common';
import { createLocalJWKSet, errors, type CryptoKey, type JWK, type LocalJWKSet } from 'jose';
import type { JwtSettings } from '../../settings/auth-settings.js';
import { quoteUrl, quoteValue } from '../quote-value.js';
import { AuthUnavailableError } from '../validators/auth-unavailable.error.js';
import { InvalidTokenError } from '../validators/invalid-token.error.js';
import { DocumentError } from './document.error.js';
import { fetchDocument, type FetchSettings, type FetchTrace } from './fetch-document.js';
import { fetchServerMetadata, getEndpoint } from './issuer-metadata.js';
import { selectUsableKeys } from './select-usable-keys.js';

/** Traces how keys are fetched. */
export type KeySetTrace = FetchTrace;

/** Whose keys they are, and how they are got. */
export interface KeySetOptions {
  readonly issuer: string;
  /** Where the keys are. @default where the issuer's metadata says */
  readonly jwksUrl?: string | undefined;
  readonly jwks: JwtSettings['jwks'];
  readonly trace?: KeySetTrace | undefined;
}

/** What a token says of the key that signed it. */
export interface KeyHint {
  readonly alg: string;
  readonly kid?: string | undefined;
}

interface KnownKeys {
  readonly getKey: LocalJWKSet;
  readonly kids: ReadonlySet<string | undefined>;
}

/** A token without `kid` costs a check for each key that may have signed it. */
const MOST_CANDIDATES = 8;

/**
 * The keys of an issuer, fetched when they are needed or before, and then not again within the cool-down, whatever tokens name.
 *
 * @see RFC 7517 §5, RFC 8414 §2 (`jwks_uri`)
 */
export class KeySet {
  readonly #logger = new Logger('McpAuth');
  readonly #name: string;
  readonly #fetching: FetchSettings;
  #known: KnownKeys | undefined;
  #fetchedAt = -Infinity;
  #endedAt = -Infinity;
  /** Why the last fetch failed. */
  #failure: DocumentError | undefined;
  #flight: Promise<void> | undefined;
  #isDoubted = false;

  constructor(private readonly options: KeySetOptions) {
    const { jwks, trace, jwksUrl, issuer } = options;
    this.#name = quoteUrl(jwksUrl ?? issuer);
    this.#fetching = { timeoutMs: jwks.timeoutMs, trace };
  }

  /**
   * Finds the keys that may have signed a token.
   *
   * @throws {InvalidTokenError} where the issuer has no such key
   * @throws {AuthUnavailableError} where that cannot be told, because its keys cannot be fetched
   */
  async find(hint: KeyHint): Promise<readonly CryptoKey[]> {
    if (this.#isStale) {
      const refreshed = this.#refresh();
      if (this.#mustWait) await refreshed;
    }
    const known = await this.#select(hint);
    if (known.length > 0) return known;
    const refreshed = this.#refresh();
    if (refreshed === undefined) throw this.#explain(hint);
    await refreshed;
    const fetched = await this.#select(hint);
    if (fetched.length > 0) return fetched;
    throw this.#explain(hint);
  }

  /** Fetches the keys before they are needed. Where that fails, whoever needs them first waits for no cool-down. */
  async prefetch(): Promise<void> {
    await this.#refresh();
    if (this.#known === undefined) this.#endedAt = -Infinity;
  }

  /** Has the keys fetched anew before one of them is taken again, if the cool-down allows it. */
  doubt(): void {
    this.#isDoubted = true;
  }

  get #ageMs(): number {
    return performance.now() - this.#fetchedAt;
  }

  get #isStale(): boolean {
    return this.#isDoubted || this.#ageMs >= this.options.jwks.maximumAgeMs;
  }

  /** Keys count as long as no fetch is allowed that could replace them. */
  get #isUsable(): boolean {
    const { maximumAgeMs, maximumStaleMs, cooldownMs } = this.options.jwks;
    return this.#known !== undefined && this.#ageMs < Math.max(maximumAgeMs + maximumStaleMs, cooldownMs);
  }

  /** Stale keys count for who would have to wait, unless nobody asked for a long time: one may be gone since. */
  get #mustWait(): boolean {
    if (!this.#isUsable) return true;
    const isLongAgo = this.#isDoubted || this.#ageMs >= 2 * this.options.jwks.maximumAgeMs;
    return isLongAgo && this.#failure === undefined;
  }

  get #remainingCooldownMs(): number {
    return this.#endedAt + this.options.jwks.cooldownMs - performance.now();
  }

  async #select({ alg, kid }: KeyHint): Promise<readonly CryptoKey[]> {
    if (this.#known === undefined || !this.#isUsable) return [];
    // Whoever makes names up gets the cheapest answer.
    if (kid !== undefined && !this.#known.kids.has(kid)) return [];
    try {
      return [await this.#known.getKey(kid === undefined ? { alg } : { alg, kid })];
    } catch (error) {
      // A key that cannot be imported is as good as none.
      return error instanceof errors.JWKSMultipleMatchingKeys ? takeFirst(error) : [];
    }
  }

  /** Joins the fetch that is under way, or begins one; nothing in the cool-down. It never rejects. */
  #refresh(): Promise<void> | undefined {
    if (this.#flight !== undefined || this.#remainingCooldownMs > 0) return this.#flight;
    this.#flight = this.#fetch().finally(() => {
      this.#endedAt = performance.now();
      this.#flight = undefined;
    });
    return this.#flight;
  }

  async #fetch(): Promise<void> {
    try {
      const url = await this.#locate();
      const keys = selectUsableKeys(await fetchDocument(url, this.#fetching), url);
      // Without keys none is taken, those that were known included.
      this.#known = keys.length === 0 ? undefined : buildKnownKeys(keys);
      if (keys.length === 0)
        throw new DocumentError(`${quoteUrl(url)} has no key that signatures can be checked by`);
      this.#fetchedAt = performance.now();
      this.#isDoubted = false;
      this.#failure = undefined;
    } catch (error) {
      this.#failure =
        error instanceof DocumentError
          ? error
          : new DocumentError(String(error), undefined, { cause: error });
      this.#logger.warn(`The keys of ${this.#name} could not be fetched: ${this.#failure.message}`);
    }
  }

  async #locate(): Promise<string> {
    const { issuer, jwksUrl } = this.options;
    return jwksUrl ?? getEndpoint(await fetchServerMetadata(issuer, this.#fetching), 'jwks_uri');
  }

  #explain({ alg, kid }: KeyHint): InvalidTokenError | AuthUnavailableError {
    if (this.#isUsable && this.#failure === undefined) {
      return new InvalidTokenError(
        `"kid" is ${quoteValue(kid)}, expected a key of ${this.#name} for "${alg}"`,
      );
    }
    return new AuthUnavailableError(`the keys of ${this.#name} cannot be fetched`, {
      retryAfterSeconds: Math.max(1, Math.ceil(this.#remainingCooldownMs / 1000)),
      cause: this.#failure,
    });
  }
}

function buildKnownKeys(keys: readonly JWK[]): KnownKeys {
  return { getKey: createLocalJWKSet({ keys: [...keys] }), kids: new Set(keys.map(({ kid }) => kid)) };
}

async function takeFirst(candidates: AsyncIterable<CryptoKey>): Promise<readonly CryptoKey[]> {
  const taken: CryptoKey[] = [];
  for await (const key of candidates) {
    taken.push(key);
    if (taken.length === MOST_CANDIDATES) break;
  }
  return taken;
}
