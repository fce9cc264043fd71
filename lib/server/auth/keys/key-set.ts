import { createLocalJWKSet, type CryptoKey, errors, type JWK, type LocalJWKSet } from 'jose';
import { escapeText } from '../../../core/log/escape-text.js';
import { Logger } from '../../../core/logger/logger.js';
import { readPublicKey } from '../../../core/oauth/read-public-key.js';
import { isObject, type JsonObject } from '../../../core/protocol/json-rpc.js';
import { RetryPause } from '../../../core/async/retry.js';
import type { IssuerLeniency } from '../../settings/auth/issuer-urls.js';
import type { JwtSettings } from '../../settings/auth/jwt-options.js';
import { AuthUnavailableError, DocumentError, InvalidTokenError } from '../errors.js';
import { quoteUrl, quoteValue } from '../quote-value.js';
import { fetchDocument, type FetchSettings, type FetchTrace } from './fetch-document.js';
import { fetchServerMetadata, getEndpoint } from './issuer-metadata.js';

/** Invented names are not kept beyond a number. */
const MOST_NAMES = 1000;

/** Issuers name keys by digests and numbers. */
const LONGEST_NAME = 256;

/**
 * Remembers the keys that tokens name, and that the issuer did not have for signatures when it was last asked. The tokens came
 * before its answer, so such a key cannot be newer than the answer.
 */
class MissingKeys {
  #asked = new Set<string>();
  #missing: ReadonlySet<string> = this.#asked;

  /** Notes that a token has named a key that is not known. */
  note(name: string): void {
    if (name.length <= LONGEST_NAME && this.#asked.size < MOST_NAMES) this.#asked.add(name);
  }

  /** Takes names for missing, unless the answer has usable keys of them: these, and what was noted since the last answer. */
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

/** Whose keys they are, and how they are got. */
export interface KeySetOptions {
  readonly issuer: string;
  /** Where the keys are. @default where the issuer's metadata says */
  readonly jwksUrl?: string | undefined;
  readonly jwks: JwtSettings['jwks'];
  readonly trace?: KeySetTrace | undefined;
  readonly insecureHosts?: readonly string[];
  readonly ignoreIssuerSlash?: boolean;
}

/** What a token says of the key that signed it. */
export interface KeyHint {
  readonly alg: string;
  readonly kid?: string | undefined;
}

interface KnownKeys {
  readonly getKey: LocalJWKSet;
  readonly kids: ReadonlySet<string>;
}

/** The time after which a recovered issuer is found, even after a long outage. It never gets more than one request at once. */
const LONGEST_PAUSE_MS = 5000;

/** A token without `kid` costs a check for each key that may have signed it. */
const MOST_CANDIDATES = 8;

/**
 * The keys of an issuer, fetched when they are needed or before, and then not again within the cool-down, whatever tokens name.
 * A fetch that fails is tried again within seconds.
 *
 * @see RFC 7517 §5, RFC 8414 §2 (`jwks_uri`)
 */
export class KeySet {
  readonly #logger = new Logger('McpAuth');
  readonly #name: string;
  readonly #fetching: FetchSettings;
  readonly #leniency: IssuerLeniency;
  #known: KnownKeys | undefined;
  #fetchedAt = -Infinity;
  /** How often the issuer has said which keys it has. */
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
   * @throws {AuthUnavailableError} with HTTP status 503 if there are no keys to go by; with 429 if they may not be fetched
   *   again yet. The key may be newer than the known ones, and a client would throw away a token that is refused
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

  /** Counts how often the issuer has said which keys it has. */
  get version(): number {
    return this.#answers;
  }

  /**
   * Finds the keys that may have signed a token that the keys of a version did not sign. Not every issuer gives a new key a
   * new name, or any name. Returns none if the issuer has not been asked since, and may not be asked yet.
   */
  async findNewer(hint: KeyHint, version: number): Promise<readonly CryptoKey[]> {
    if (this.#answers === version) await this.#refresh();
    return this.#answers === version ? [] : this.#select(hint);
  }

  /** Fetches the keys before they are needed. If that fails, the first request that needs them does not wait for the cool-down. */
  async prefetch(): Promise<void> {
    await this.#refresh();
    if (this.#known === undefined) this.#pause.end();
  }

  /** Has the keys fetched again before one of them is taken again, if the cool-down allows it. */
  invalidate(): void {
    this.#isDoubted = true;
  }

  /** Whether there are no keys to go by: the last fetch failed, and what was fetched before is too old. */
  get isFailing(): boolean {
    return this.#failure !== undefined && !this.#isUsable;
  }

  get #ageMs(): number {
    return performance.now() - this.#fetchedAt;
  }

  get #isStale(): boolean {
    return this.#isDoubted || this.#ageMs >= this.options.jwks.maxAgeMs;
  }

  /** Keys count as long as no fetch is allowed that could replace them. */
  get #isUsable(): boolean {
    const { maxAgeMs, maxStaleMs, cooldownMs } = this.options.jwks;
    return this.#known !== undefined && this.#ageMs < Math.max(maxAgeMs + maxStaleMs, cooldownMs);
  }

  /** Stale keys count for who would have to wait, unless nobody asked for a long time: one may be gone since. */
  get #mustWait(): boolean {
    if (!this.#isUsable) return true;
    const isLongAgo = this.#isDoubted || this.#ageMs >= 2 * this.options.jwks.maxAgeMs;
    return isLongAgo && this.#failure === undefined;
  }

  async #select({ alg, kid }: KeyHint): Promise<readonly CryptoKey[]> {
    if (this.#known === undefined || !this.#isUsable) return [];
    // An invented name gets the cheapest answer.
    if (kid !== undefined && !this.#known.kids.has(kid)) return [];
    try {
      return [await this.#known.getKey(kid === undefined ? { alg } : { alg, kid })];
    } catch (error) {
      // A key that cannot be imported is as good as none.
      return error instanceof errors.JWKSMultipleMatchingKeys ? takeFirst(error) : [];
    }
  }

  /** Joins the fetch that is under way, or begins one; nothing in the pause after the last. It never rejects. */
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
      // Without keys none is taken, those that were known included.
      this.#known = keys.length === 0 ? undefined : buildKnownKeys(keys);
      if (keys.length === 0) throw new DocumentError(`${quoteUrl(url)} has no key to check signatures with`);
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

  /** Says why there is no key. Either the issuer has answered without it, or it may have added the key since its last answer. */
  #explain({ alg, kid }: KeyHint, isAnswered: boolean): InvalidTokenError | AuthUnavailableError {
    const { leftSeconds: retryAfterSeconds } = this.#pause;
    if (!this.#isUsable) {
      const unavailable = { retryAfterSeconds, cause: this.#failure };
      return new AuthUnavailableError(`the keys of ${this.#name} cannot be fetched`, unavailable);
    }
    const difference = `"kid" is ${quoteValue(kid)}, expected a key of ${this.#name} for "${alg}"`;
    if (isAnswered && this.#failure === undefined) return new InvalidTokenError(difference);
    const next = `they may be fetched again in ${retryAfterSeconds} s`;
    // Anybody may name keys, so this is no failure of the server.
    const limited = { retryAfterSeconds, httpStatus: 429, cause: this.#failure } as const;
    return new AuthUnavailableError(`${difference}: ${next}`, limited);
  }
}

/** A token without `kid` may be signed by any key of its algorithm. */
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

/** No issuer has this many keys. Further keys are ignored. */
const MOST_KEYS = 200;

/**
 * Selects the keys of a set that can check signatures. Symmetric, encryption and malformed keys are left out.
 *
 * @throws {DocumentError} if it is no key set
 * @see RFC 7517 §5
 */
export function selectUsableKeys({ keys }: JsonObject, url: string): readonly JWK[] {
  if (!Array.isArray(keys)) throw new DocumentError(`${quoteUrl(url)} has no array "keys"`);
  return keys.slice(0, MOST_KEYS).flatMap((key: unknown) => readPublicKey(key) ?? []);
}

/** Lists the names of the keys of a set, usable or not. */
function listKeyIds({ keys }: JsonObject): readonly string[] {
  if (!Array.isArray(keys)) return [];
  const kids = keys.slice(0, MOST_KEYS).map((key: unknown) => (isObject(key) ? key['kid'] : undefined));
  return kids.filter((kid) => typeof kid === 'string');
}
