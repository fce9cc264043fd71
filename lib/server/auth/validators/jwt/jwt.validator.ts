import { compactVerify, type CryptoKey, errors } from 'jose';
import { shorten } from '../../../schema/validation-issues.js';
import type { JwtSettings } from '../../../settings/auth/jwt-options.js';
import type { RequestSpan } from '../../../telemetry/request-tracing.js';
import { InvalidTokenError } from '../../errors.js';
import { type KeyHint, KeySet, type KeySetTrace } from '../../keys/key-set.js';
import { quoteChoices, quoteValue } from '../../quote-value.js';
import { assertAudience, assertTimes, explainIssuer, omitAbsentClaims, readClaims } from '../token-claims.js';
import { buildAuthentication } from '../build-authentication.js';
import { TokenCache } from '../token-cache.js';
import type { MatchesCaller, Outcome, Validator } from '../validator.interface.js';
import { assertTokenKind, type DecodedToken, decodeToken, type TokenPart } from './decode-token.js';

/** Node's limit for all headers of a request. */
const LONGEST_TOKEN = 16_384;

/** The maximum length of a span attribute in characters. */
const LONGEST_ATTRIBUTE = 200;

/**
 * Validates JWT access tokens of the configured issuers for this resource.
 *
 * @see RFC 9068 §4, RFC 7519 §7.2, RFC 8725 §3
 */
export class JwtValidator implements Validator {
  readonly method = 'jwt';
  readonly #cache: TokenCache;
  readonly #keySets: ReadonlyMap<unknown, KeySet>;
  readonly #algorithms: ReadonlySet<unknown>;

  constructor(
    private readonly settings: JwtSettings,
    trace?: KeySetTrace,
  ) {
    this.#cache = new TokenCache(settings);
    this.#keySets = createKeySets(settings, trace);
    this.#algorithms = new Set(settings.algorithms);
  }

  validate(token: string, span?: RequestSpan): Outcome | Promise<Outcome> {
    if (token.length > LONGEST_TOKEN) {
      throw new InvalidTokenError(`it has ${token.length} characters, expected at most ${LONGEST_TOKEN}`);
    }
    return this.#cache.validateOnce(token, () => this.#validate(token, span));
  }

  get isFailing(): boolean {
    return [...this.#keySets.values()].some(({ isFailing }) => isFailing);
  }

  /** Starts to fetch the keys of all issuers before they are needed. A slow issuer does not delay anything. */
  prefetchKeys(): void {
    for (const keySet of this.#keySets.values()) void keySet.prefetch();
  }

  forget(isTheirs: MatchesCaller): void {
    this.#cache.forget(isTheirs);
  }

  clear(): void {
    this.#cache.clear();
    for (const keySet of this.#keySets.values()) keySet.invalidate();
  }

  /** Checks the unverified contents before looking up any key. */
  #validate(token: string, span: RequestSpan | undefined): Outcome | Promise<Outcome> {
    const found = decodeToken(token);
    if (found === undefined) return { unrecognized: 'it is not a JWT' };
    const { header } = found;
    const { iss } = found.payload;
    const keySet = this.#keySets.get(iss);
    if (keySet === undefined) return { unrecognized: explainIssuer(iss, this.settings.issuers) };
    const payload = omitAbsentClaims(found.payload, this.settings);
    const decoded = { header, payload };
    const hint = this.#readKeyHint(header);
    assertTokenKind(decoded, this.settings);
    assertTimes(payload, this.settings.clockToleranceSeconds);
    assertAudience(payload, this.settings);
    return this.#accept(token, decoded, { keySet, hint, span });
  }

  async #accept(token: string, { payload }: DecodedToken, search: KeySearch): Promise<Outcome> {
    await assertSigned(token, search);
    const claims = readClaims(payload, this.settings);
    const { takesDpop } = this.settings;
    const authentication = buildAuthentication({ method: this.method, claims, token, takesDpop });
    return { authentication, isCached: false };
  }

  /** No extensions are supported, so none may be critical (RFC 7515 §4.1.11). */
  #readKeyHint({ alg, kid, crit }: TokenPart): KeyHint {
    if (typeof alg !== 'string' || !this.#algorithms.has(alg)) {
      throw new InvalidTokenError(
        `"alg" is ${quoteValue(alg)}, expected ${quoteChoices(this.settings.algorithms)}`,
      );
    }
    if (kid !== undefined && typeof kid !== 'string') {
      throw new InvalidTokenError(`"kid" is ${quoteValue(kid)}, expected a string`);
    }
    if (crit !== undefined) throw new InvalidTokenError(`"crit" is ${quoteValue(crit)}, expected none`);
    return { alg, kid };
  }
}

/** Issuers with the same key URL share the fetched keys. */
function createKeySets(
  { issuers, jwksUrl, jwks, insecureHosts, ignoreIssuerSlash }: JwtSettings,
  trace: KeySetTrace | undefined,
): ReadonlyMap<unknown, KeySet> {
  const [issuer = ''] = issuers;
  const options = { jwks, trace, insecureHosts, ignoreIssuerSlash };
  const shared = jwksUrl === undefined ? undefined : new KeySet({ ...options, issuer, jwksUrl });
  const keySets = issuers.map((name) => [name, shared ?? new KeySet({ ...options, issuer: name })] as const);
  if (!ignoreIssuerSlash) return new Map(keySets);
  // Configured issuers take precedence over their slash variants.
  return new Map([...keySets.map(([name, keySet]) => [toggleSlash(name), keySet] as const), ...keySets]);
}

function toggleSlash(issuer: string): string {
  return issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`;
}

/** The lookup of a token's key. */
interface KeySearch {
  readonly keySet: KeySet;
  readonly hint: KeyHint;
  readonly span: RequestSpan | undefined;
}

/**
 * Verifies that one of the issuer's keys signed a token, even if that key has just replaced another with the same
 * `kid`.
 */
async function assertSigned(token: string, search: KeySearch): Promise<void> {
  const { keySet, hint } = search;
  const keys = await lookUp(search, () => keySet.find(hint));
  const { version } = keySet;
  try {
    await verifySignature(token, keys);
  } catch (failure) {
    const newer = await lookUp(search, () => keySet.findNewer(hint, version));
    if (newer.length === 0) throw failure;
    await verifySignature(token, newer);
  }
}

function lookUp<Keys>({ span, hint }: KeySearch, find: () => Promise<Keys>): Promise<Keys> {
  if (span === undefined) return find();
  const attributes = { 'mcp.auth.jwks.kid': shorten(hint.kid ?? '', LONGEST_ATTRIBUTE) };
  return span.runChild('auth.jwks_lookup', attributes, find);
}

/** Verifies that one of the keys signed a token. */
async function verifySignature(token: string, keys: readonly CryptoKey[]): Promise<void> {
  let failure: unknown;
  for (const key of keys) {
    try {
      await compactVerify(token, key);
      return;
    } catch (error) {
      failure = error;
    }
  }
  throw new InvalidTokenError(explainJoseError(failure), { cause: failure });
}

/** Longer messages would repeat the token's contents. */
const LONGEST = 200;

/** Describes why a signature is not valid. */
export function explainJoseError(error: unknown): string {
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'its signature does not match any key from the issuer';
  return error instanceof Error ? shorten(error.message, LONGEST) : 'its signature cannot be verified';
}
