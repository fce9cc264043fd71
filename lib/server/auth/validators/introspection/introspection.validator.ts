import { findCallerAddress } from '../../../context/caller-address.js';
import type { IntrospectionSettings } from '../../../settings/auth/introspection-options.js';
import type { RequestSpan } from '../../../telemetry/request-span.interface.js';
import { isSameIssuer } from '../../../../core/oauth/same-issuer.js';
import { explainIssuer } from '../explain-issuer.js';
import { quoteValue } from '../../quote-value.js';
import { buildAuthentication } from '../build-authentication.js';
import { assertTokenKind } from '../jwt/assert-token-kind.js';
import { assertAudience, assertTimes, isAudienceMissing } from '../assert-validity.js';
import type { TokenPart } from '../jwt/decode-token.js';
import { InvalidTokenError } from '../invalid-token.error.js';
import { omitAbsentClaims, readClaims } from '../read-claims.js';
import { TokenCache } from '../token-cache.js';
import type { IsTheirs, Outcome, Validator } from '../validator.interface.js';
import { ActiveTokens } from './active-tokens.js';
import { CrowdedError } from './crowded.error.js';
import { IntrospectionEndpoint } from './introspection-endpoint.js';

/** The authorization server decides by its own clock whether a token is active. This tolerance is for the other times in its answer. */
const CLOCK_TOLERANCE_SECONDS = 5;

/** An answer need not say when a token ends (RFC 7662 §2.2). */
const NEVER = Number.MAX_SAFE_INTEGER;

const PLACES = { audienceClaim: 'aud', scopeClaims: ['scp'], scopePrefix: '' } as const;

/**
 * Validates tokens by asking the authorization server that issued them.
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

  forget(isTheirs: IsTheirs): void {
    this.#cache.forget(isTheirs);
    this.#active.forgetAll(isTheirs);
  }

  clear(): void {
    this.#cache.clear();
    this.#active.clear();
  }

  /** If nobody can be asked for the crowd of questions, a token that was active a moment ago continues. */
  async #validate(token: string, request: object | undefined): Promise<Outcome> {
    try {
      return await this.#ask(token, request);
    } catch (error) {
      const authentication = error instanceof CrowdedError ? this.#active.findInGrace(token) : undefined;
      if (authentication === undefined) throw error;
      return { authentication, isCached: true };
    }
  }

  async #ask(token: string, request: object | undefined): Promise<Outcome> {
    const isKnown = this.#active.has(token);
    const findAddress = (): string | undefined => request && findCallerAddress(request);
    const noteActive = this.#active.begin(token);
    const said = await this.#endpoint.ask(token, { isKnown, findAddress });
    this.#active.forget(token);
    if (said === undefined) return { unrecognized: 'the authorization server says that it is not active' };
    const claims = readClaims(judge(omitAbsentClaims(said, PLACES), this.settings), PLACES);
    const { takesDpop } = this.settings;
    const authentication = buildAuthentication({ method: this.method, claims, token, takesDpop });
    noteActive(authentication);
    return { authentication, isCached: false };
  }
}

/**
 * Returns what an answer says of an active token that is good here.
 *
 * @throws {InvalidTokenError} if it is of another issuer, kind or time, or for another resource
 */
function judge({ token_type: type, ...said }: TokenPart, settings: IntrospectionSettings): TokenPart {
  const { issuer, audiences, unsafeAllowMissingAudience, ignoreIssuerSlash, toleratedClaims } = settings;
  // Who answers for a token is its issuer, also if the answer does not say so.
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

/** Only a bound token may say so as well (RFC 9449 §6.2). */
function assertType(type: unknown, { cnf }: TokenPart, { takesDpop }: IntrospectionSettings): void {
  if (type === undefined) return;
  const found = typeof type === 'string' ? type.toLowerCase() : undefined;
  if (found === 'bearer' || (found === 'dpop' && takesDpop && cnf !== undefined)) return;
  const expected = takesDpop ? '"Bearer", or "DPoP" with "cnf"' : '"Bearer"';
  throw new InvalidTokenError(`"token_type" is ${quoteValue(type)}, expected ${expected}`);
}
