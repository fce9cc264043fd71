import { createLocalJWKSet, type CryptoKey, errors, type JWK, type LocalJWKSet } from 'jose';
import { escapeText } from '../../../core/log/escape-text.js';
import { Logger } from '../../../core/logger/logger.js';
import { readPublicKey } from '../../../core/oauth/read-public-key.js';
import { isObject, type JsonObject } from '../../../core/protocol/json-rpc.js';
import { RetryPause } from '../../../core/async/retry.js';
import type { IssuerExceptions } from '../../settings/auth/issuer-urls.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { AuthUnavailableError, DocumentError, InvalidTokenError } from '../errors.js';
import { quoteUrl, quoteValue } from '../quote-value.js';
import { fetchDocument, type FetchSettings, type FetchTrace } from './fetch-document.js';
import { fetchServerMetadata, getEndpoint } from './issuer-metadata.js';

/** The maximum number of key ids to remember, because tokens may contain made-up ids. */
const MOST_NAMES = 1000;

/** The maximum length of a key id. Issuers use digests and numbers. */
const LONGEST_NAME = 256;

/**
 * Remembers key ids from tokens that the last key set did not contain. The tokens arrived before the key set was
 * fetched, so their keys cannot be newer.
 */
class MissingKeys {
  #asked = new Set<string>();
  #missing: ReadonlySet<string> = this.#asked;

  /** Records an unknown key id that a token contains. */
  note(name: string): void {
    if (name.length <= LONGEST_NAME && this.#asked.size < MOST_NAMES) this.#asked.add(name);
  }

  /** Marks key ids as missing: the given ones, and those recorded since the last fetch. */
  settle(names: Iterable<string>): void {
    this.#missing = new Set([...this.#asked, ...names]);
    this.#asked = new Set();
  }

  has(name: string): boolean {
    return this.#missing.has(name);
  }
}

/** Traces how keys are fetched. */
export type KeySetTrace = FetchTrace;

/** The keys' issuer, and how to fetch them. */
export interface KeySetOptions {
  readonly issuer: string;
  /** The key URL. @default the `jwks_uri` in the issuer's metadata */
  readonly jwksUrl?: string | undefined;
  readonly jwks: JwtSettings['jwks'];
  readonly trace?: KeySetTrace | undefined;
  readonly insecureHosts?: readonly string[];
  readonly ignoreIssuerSlash?: boolean;
}

/** The `alg` and `kid` in a token header. */
export interface KeyHint {
  readonly alg: string;
  readonly kid?: string | undefined;
}

interface KnownKeys {
  readonly getKey: LocalJWKSet;
  readonly kids: ReadonlySet<string>;
}

/** The longest pause between attempts, even during a long outage. There is never more than one concurrent request. */
const LONGEST_PAUSE_MS = 5000;

/** The maximum number of keys to try for a token without `kid`. */
const MOST_CANDIDATES = 8;

/**
 * An issuer's keys. They are fetched on demand or prefetched, but never refetched within the cooldown, regardless of
 * the key ids in tokens. A failed fetch is retried within seconds.
 *
 * @see RFC 7517 §5, RFC 8414 §2 (`jwks_uri`)
 */
export class KeySet {
  readonly #logger = new Logger('McpAuth');
  readonly #name: string;
  readonly #fetching: FetchSettings;
  readonly #leniency: IssuerExceptions;
  #known: KnownKeys | undefined;
  #fetchedAt = -Infinity;
  /** The number of successful fetches. */
  #answers = 0;
  readonly #pause: RetryPause;
  readonly #missing = new MissingKeys();
  /** Why the last fetch failed. */
  #failure: DocumentError | undefined;
  #flight: Promise<void> | undefined;
  #isDoubted = false;

  constructor(private readonly options: KeySetOptions) {
    const { jwks, trace, jwksUrl, issuer, insecureHosts = [], ignoreIssuerSlash = false } = options;
    this.#name = quoteUrl(jwksUrl ?? issuer);
    this.#fetching = { timeoutMs: jwks.timeoutMs, trace };
    this.#leniency = { insecureHosts, ignoreIssuerSlash };
    this.#pause = new RetryPause(Math.min(jwks.cooldownMs, LONGEST_PAUSE_MS));
  }

  /**
   * Finds the keys that may have signed a token.
   *
   * @throws {InvalidTokenError} if the issuer has no such key
   * @throws {AuthUnavailableError} with status 503 if no keys are available; with 429 if the keys must not be fetched
   * again yet. The token's key may be newer than the known ones, and clients discard a refused token
   */
  async find(hint: KeyHint): Promise<readonly CryptoKey[]> {
    const answersBefore = this.#answers;
    if (!this.#knows(hint)) this.#missing.note(nameKey(hint));
    if (this.#isStale) {
      const refreshed = this.#refresh();
      if (this.#mustWait) await refreshed;
    }
    const known = await this.#select(hint);
    if (known.length > 0) return known;
    await this.#refresh();
    const fetched = await this.#select(hint);
    if (fetched.length > 0) return fetched;
    const isAnswered = this.#answers > answersBefore || this.#knows(hint) || this.#missing.has(nameKey(hint));
    throw this.#explain(hint, isAnswered);
  }

  /** The key version: the number of successful fetches. */
  get version(): number {
    return this.#answers;
  }

  /**
   * Finds keys that are newer than a version, for a token whose signature failed. Some issuers replace a key without
   * changing its `kid`, or use no `kid`. Returns no keys within the cooldown.
   */
  async findNewer(hint: KeyHint, version: number): Promise<readonly CryptoKey[]> {
    if (this.#answers === version) await this.#refresh();
    return this.#answers === version ? [] : this.#select(hint);
  }

  /**
   * Fetches the keys before they are needed. After a failure, the first request that needs them ignores the cooldown.
   */
  async prefetch(): Promise<void> {
    await this.#refresh();
    if (this.#known === undefined) this.#pause.end();
  }

  /** Marks the keys as stale, so they are fetched again before their next use if the cooldown allows it. */
  invalidate(): void {
    this.#isDoubted = true;
  }

  /** Whether no keys are available: the last fetch failed, and earlier keys are too old. */
  get isFailing(): boolean {
    return this.#failure !== undefined && !this.#isUsable;
  }

  get #ageMs(): number {
    return performance.now() - this.#fetchedAt;
  }

  get #isStale(): boolean {
    return this.#isDoubted || this.#ageMs >= this.options.jwks.maxAgeMs;
  }

  /** Keys remain usable at least until the next fetch is allowed. */
  get #isUsable(): boolean {
    const { maxAgeMs, maxStaleMs, cooldownMs } = this.options.jwks;
    return this.#known !== undefined && this.#ageMs < Math.max(maxAgeMs + maxStaleMs, cooldownMs);
  }

  /** Stale keys are used while a fetch runs, unless they are so old that a key may have been revoked. */
  get #mustWait(): boolean {
    if (!this.#isUsable) return true;
    const isLongAgo = this.#isDoubted || this.#ageMs >= 2 * this.options.jwks.maxAgeMs;
    return isLongAgo && this.#failure === undefined;
  }

  async #select({ alg, kid }: KeyHint): Promise<readonly CryptoKey[]> {
    if (this.#known === undefined || !this.#isUsable) return [];
    // The path for made-up key ids is the cheapest.
    if (kid !== undefined && !this.#known.kids.has(kid)) return [];
    try {
      return [await this.#known.getKey(kid === undefined ? { alg } : { alg, kid })];
    } catch (error) {
      // A key that cannot be imported counts as missing.
      return error instanceof errors.JWKSMultipleMatchingKeys ? takeFirst(error) : [];
    }
  }

  /** Joins the running fetch, or starts one unless requests are paused. It never rejects. */
  #refresh(): Promise<void> | undefined {
    if (this.#flight !== undefined || this.#pause.leftMs > 0) return this.#flight;
    this.#flight = this.#fetch().finally(() => (this.#flight = undefined));
    return this.#flight;
  }

  async #fetch(): Promise<void> {
    try {
      const url = await this.#locate();
      const document = await fetchDocument(url, this.#fetching);
      const keys = selectUsableKeys(document, url);
      const before = this.#known?.kids ?? [];
      // An empty key set also revokes the previous keys.
      this.#known = keys.length === 0 ? undefined : buildKnownKeys(keys);
      if (keys.length === 0)
        throw new DocumentError(`${quoteUrl(url)} contains no key for verifying signatures`);
      this.#fetchedAt = performance.now();
      this.#isDoubted = false;
      this.#failure = undefined;
      this.#answers += 1;
      this.#missing.settle([...before, ...listKeyIds(document)]);
      this.#pause.succeed(this.options.jwks.cooldownMs);
    } catch (error) {
      this.#failure =
        error instanceof DocumentError
          ? error
          : new DocumentError(String(error), undefined, { cause: error });
      this.#pause.fail();
      const line = `The keys of ${this.#name} could not be fetched: ${this.#failure.message}`;
      this.#logger.warn(escapeText(line));
    }
  }

  async #locate(): Promise<string> {
    const { issuer, jwksUrl } = this.options;
    if (jwksUrl !== undefined) return jwksUrl;
    const metadata = await fetchServerMetadata(issuer, { ...this.#fetching, ...this.#leniency });
    return getEndpoint(metadata, 'jwks_uri', this.#leniency);
  }

  #knows({ kid }: KeyHint): boolean {
    return kid !== undefined && this.#known?.kids.has(kid) === true;
  }

  /**
   * Creates the error for a missing key. Either the issuer does not have it, or it may have added it since the last
   * fetch.
   */
  #explain({ alg, kid }: KeyHint, isAnswered: boolean): InvalidTokenError | AuthUnavailableError {
    const { leftSeconds: retryAfterSeconds } = this.#pause;
    if (!this.#isUsable) {
      const unavailable = { retryAfterSeconds, cause: this.#failure };
      return new AuthUnavailableError(`the keys of ${this.#name} cannot be fetched`, unavailable);
    }
    const difference = `"kid" is ${quoteValue(kid)}, expected a key from ${this.#name} for "${alg}"`;
    if (isAnswered && this.#failure === undefined) return new InvalidTokenError(difference);
    const next = `the keys can be fetched again in ${retryAfterSeconds} s`;
    // Any client can send made-up key ids, so this is not a server failure.
    const limited = { retryAfterSeconds, httpStatus: 429, cause: this.#failure } as const;
    return new AuthUnavailableError(`${difference}: ${next}`, limited);
  }
}

/** A token without `kid` may be signed with any key for its algorithm. */
function nameKey({ alg, kid }: KeyHint): string {
  return kid ?? `any ${alg}`;
}

function buildKnownKeys(keys: readonly JWK[]): KnownKeys {
  const kids = new Set(keys.flatMap(({ kid }) => kid ?? []));
  return { getKey: createLocalJWKSet({ keys: [...keys] }), kids };
}

async function takeFirst(candidates: AsyncIterable<CryptoKey>): Promise<readonly CryptoKey[]> {
  const taken: CryptoKey[] = [];
  for await (const key of candidates) {
    taken.push(key);
    if (taken.length === MOST_CANDIDATES) break;
  }
  return taken;
}

/** The maximum number of keys in a set. Further keys are ignored. */
const MOST_KEYS = 200;

/**
 * Selects the keys of a set that can verify signatures. Symmetric, encryption and malformed keys are omitted.
 *
 * @throws {DocumentError} if it is not a key set
 * @see RFC 7517 §5
 */
export function selectUsableKeys({ keys }: JsonObject, url: string): readonly JWK[] {
  if (!Array.isArray(keys)) throw new DocumentError(`${quoteUrl(url)} has no "keys" array`);
  return keys.slice(0, MOST_KEYS).flatMap((key: unknown) => readPublicKey(key) ?? []);
}

/** Lists the ids of all keys of a set, usable or not. */
function listKeyIds({ keys }: JsonObject): readonly string[] {
  if (!Array.isArray(keys)) return [];
  const kids = keys.slice(0, MOST_KEYS).map((key: unknown) => (isObject(key) ? key['kid'] : undefined));
  return kids.filter((kid) => typeof kid === 'string');
}
