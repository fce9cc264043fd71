import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import { isSameIssuer } from '../../../../core/oauth/metadata.js';
import type { Authentication } from '../../../context/authentication.js';
import { findCallerAddress } from '../../../context/caller-identity.js';
import type { IntrospectionSettings } from '../../../settings/auth/introspection-options.js';
import type { RequestSpan } from '../../../telemetry/request-tracing.js';
import { IntrospectionOverloadError, InvalidTokenError } from '../../errors.js';
import { quoteValue } from '../../quote-value.js';
import { buildAuthentication } from '../build-authentication.js';
import { assertTokenKind, type TokenPart } from '../jwt/decode-token.js';
import { type CacheGeneration, TokenCache } from '../token-cache.js';
import {
  assertAudience,
  assertTimes,
  explainIssuer,
  isAudienceMissing,
  omitAbsentClaims,
  readClaims,
} from '../token-claims.js';
import type { MatchesCaller, Outcome, Validator } from '../validator.interface.js';
import { IntrospectionEndpoint } from './introspection-endpoint.js';

/**
 * The authorization server uses its own clock to decide whether a token is active. This tolerance applies to the
 * times in its response.
 */
const CLOCK_TOLERANCE_SECONDS = 5;

/** The response may omit `exp` (RFC 7662 §2.2). */
const NEVER = Number.MAX_SAFE_INTEGER;

const PLACES = { audienceClaim: 'aud', scopeClaims: ['scp'], scopePrefix: '' } as const;

/**
 * Validates tokens at their authorization server's introspection endpoint.
 *
 * @see RFC 7662
 */
export class IntrospectionValidator implements Validator {
  readonly method = 'introspection';
  readonly #cache: TokenCache;
  readonly #active: ActiveTokens;
  readonly #endpoint: IntrospectionEndpoint;

  constructor(private readonly settings: IntrospectionSettings) {
    this.#cache = new TokenCache(settings);
    this.#active = new ActiveTokens(settings);
    this.#endpoint = new IntrospectionEndpoint(settings);
  }

  validate(token: string, _span?: RequestSpan, request?: object): Outcome | Promise<Outcome> {
    return this.#cache.validateOnce(token, () => this.#validate(token, request));
  }

  get isFailing(): boolean {
    return this.#endpoint.isFailing;
  }

  forget(isTheirs: MatchesCaller): void {
    this.#cache.forget(isTheirs);
    this.#active.forgetAll(isTheirs);
  }

  clear(): void {
    this.#cache.clear();
    this.#active.clear();
  }

  /** During an overload, a token that was active a moment ago remains valid. */
  async #validate(token: string, request: object | undefined): Promise<Outcome> {
    try {
      return await this.#ask(token, request);
    } catch (error) {
      const authentication =
        error instanceof IntrospectionOverloadError ? this.#active.findInGrace(token) : undefined;
      if (authentication === undefined) throw error;
      return { authentication, isCached: true };
    }
  }

  async #ask(token: string, request: object | undefined): Promise<Outcome> {
    const isKnown = this.#active.has(token);
    const findAddress = (): string | undefined => request && findCallerAddress(request);
    const noteActive = this.#active.begin(token);
    const said = await this.#endpoint.introspect(token, { isKnown, findAddress });
    this.#active.forget(token);
    if (said === undefined) return { unrecognized: 'the authorization server reports that it is not active' };
    const claims = readClaims(judge(omitAbsentClaims(said, PLACES), this.settings), PLACES);
    const { takesDpop } = this.settings;
    const authentication = buildAuthentication({ method: this.method, claims, token, takesDpop });
    noteActive(authentication);
    return { authentication, isCached: false };
  }
}

/**
 * Returns the claims of an active token that is valid for this server.
 *
 * @throws {InvalidTokenError} if its issuer, kind, times or audience are invalid
 */
function judge({ token_type: type, ...said }: TokenPart, settings: IntrospectionSettings): TokenPart {
  const { issuer, audiences, unsafeAllowMissingAudience, ignoreIssuerSlash, toleratedClaims } = settings;
  // The responding server is the issuer, even if its response does not name one.
  const payload: TokenPart = { iss: issuer, ...said };
  if (!isSameIssuer(issuer, payload['iss'], ignoreIssuerSlash)) {
    throw new InvalidTokenError(explainIssuer(payload['iss'], [issuer]));
  }
  assertType(type, payload, settings);
  assertTokenKind({ header: {}, payload }, { types: [], toleratedClaims, option: 'auth.introspection' });
  assertTimes({ exp: NEVER, ...payload }, CLOCK_TOLERANCE_SECONDS);
  if (unsafeAllowMissingAudience && isAudienceMissing(payload['aud'])) return payload;
  assertAudience(payload, { audienceClaim: PLACES.audienceClaim, audiences });
  return payload;
}

/** Only a bound token may have the type "DPoP" (RFC 9449 §6.2). */
function assertType(type: unknown, { cnf }: TokenPart, { takesDpop }: IntrospectionSettings): void {
  if (type === undefined) return;
  const found = typeof type === 'string' ? type.toLowerCase() : undefined;
  if (found === 'bearer' || (found === 'dpop' && takesDpop && cnf !== undefined)) return;
  const expected = takesDpop ? '"Bearer", or "DPoP" with "cnf"' : '"Bearer"';
  throw new InvalidTokenError(`"token_type" is ${quoteValue(type)}, expected ${expected}`);
}

/** A token that was active. */
interface ActiveToken {
  readonly authentication: Authentication;
  /** When the request was sent, by the monotonic clock. */
  readonly askedAt: number;
}

/** Limits on remembered tokens. */
export interface ActiveTokenLimits {
  readonly cacheSize: number;
  readonly cacheTtlMs: number;
  readonly graceMs: number;
}

/** Remembers, by digest, which tokens were active at their last introspection. */
export class ActiveTokens {
  readonly #tokens: LRUCache<string, ActiveToken>;
  #era: CacheGeneration = { isOver: false };

  constructor(private readonly limits: ActiveTokenLimits) {
    this.#tokens = new LRUCache({ max: limits.cacheSize });
  }

  /** Returns whether a token was active and has not expired since then. */
  has(token: string): boolean {
    return this.#find(token) !== undefined;
  }

  /** Returns the caller for a token that cannot currently be checked, within the grace period. */
  findInGrace(token: string): Authentication | undefined {
    const found = this.#find(token);
    const { cacheTtlMs, graceMs } = this.limits;
    const isRecent = found !== undefined && performance.now() < found.askedAt + cacheTtlMs + graceMs;
    return isRecent && graceMs > 0 ? found.authentication : undefined;
  }

  /** Records the start of an introspection. Returns a function that records the token as active. */
  begin(token: string): (authentication: Authentication) => void {
    const askedAt = performance.now();
    const era = this.#era;
    return (authentication) => {
      if (!era.isOver) this.#tokens.set(digest(token), { authentication, askedAt });
    };
  }

  /** Removes a token that is not active or not valid here. */
  forget(token: string): void {
    this.#tokens.delete(digest(token));
  }

  /**
   * Removes the tokens of some callers. Running introspections are not remembered, because their callers are not
   * known yet.
   */
  forgetAll(isTheirs: MatchesCaller): void {
    this.#era.isOver = true;
    this.#era = { isOver: false };
    for (const [key, { authentication }] of this.#tokens) {
      if (isTheirs(authentication)) this.#tokens.delete(key);
    }
  }

  clear(): void {
    this.#tokens.clear();
    this.#era.isOver = true;
    this.#era = { isOver: false };
  }

  #find(token: string): ActiveToken | undefined {
    const found = this.#tokens.get(digest(token));
    const { expiresAt = Infinity } = found?.authentication.claims ?? {};
    return Date.now() < expiresAt * 1000 ? found : undefined;
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64');
}
