import { hash } from 'node:crypto';
import { calculateJwkThumbprint, compactVerify, type CryptoKey, importJWK, type JWK } from 'jose';
import { LRUCache } from 'lru-cache';
import { isRepeated } from '../../../core/protocol/headers/http-headers.js';
import type { JsonObject } from '../../../core/protocol/json-rpc.js';
import type { DpopSettings } from '../../settings/auth/dpop-options.js';
import type { AdapterRequest } from '../auth-state.js';
import { RefusedProofError } from '../errors.js';
import { decodeToken } from '../validators/jwt/decode-token.js';
import type { DpopNonces } from './dpop-nonces.js';
import type { ReplayCache } from './replay-cache.js';
import type { RequestTarget } from './request-target.js';

/** A proof's key. */
interface ProofKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
  /** The name of the key (RFC 7638). */
  readonly thumbprint: string;
}

/** The parameters of private and symmetric keys (RFC 7518 §6.2.2, §6.3.2, §6.4, RFC 8037 §2). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const;

/** The parameters of public keys. Other parameters of a JWK are ignored. */
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** The key types, keyed by the first two letters of an algorithm. */
const KINDS: { readonly [prefix: string]: string } = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' };

/**
 * Reads the public key in a proof header.
 *
 * @param algorithms the accepted algorithms
 * @throws {RefusedProofError} if it is not a proof header, or contains no public key
 * @see RFC 9449 §4.2, §4.3, RFC 7517
 */
async function readProofKey(header: JsonObject, algorithms: ReadonlySet<unknown>): Promise<ProofKey> {
  const { typ, alg, jwk, crit } = header;
  if (typ !== 'dpop+jwt') throw new RefusedProofError('The typ in the proof must be dpop+jwt');
  if (typeof alg !== 'string' || !algorithms.has(alg)) {
    throw new RefusedProofError('The alg in the proof is not accepted: use one listed in algs');
  }
  // No extensions are supported, so none may be critical (RFC 7515 §4.1.11).
  if (crit !== undefined)
    throw new RefusedProofError('The proof has a crit, but no critical extensions are supported');
  const publicKey = selectPublicKey(jwk, alg);
  try {
    const key = await importJWK({ ...publicKey, alg }, alg);
    return { algorithm: alg, key: key as CryptoKey, thumbprint: await calculateJwkThumbprint(publicKey) };
  } catch (cause) {
    throw new RefusedProofError('The jwk in the proof is not a valid key for its alg', undefined, { cause });
  }
}

function selectPublicKey(jwk: unknown, algorithm: string): JWK {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) {
    throw new RefusedProofError('The proof must include its public key as jwk');
  }
  const given = jwk as JsonObject;
  if (SECRET_MEMBERS.some((member) => given[member] !== undefined)) {
    throw new RefusedProofError(
      'The jwk in the proof must be a public key: generate a new key pair, because this private key is now exposed',
    );
  }
  const { kty, use = 'sig', key_ops: operations = ['verify'] } = given;
  const isForSigning = use === 'sig' && Array.isArray(operations) && operations.includes('verify');
  if (kty !== KINDS[algorithm.slice(0, 2)] || !isForSigning) {
    throw new RefusedProofError('The jwk in the proof is not a valid key for its alg');
  }
  const members = PUBLIC_MEMBERS.filter((member) => typeof given[member] === 'string');
  return Object.fromEntries(members.map((member) => [member, given[member]]));
}

/** A request with the scheme `DPoP` and a valid token. */
export interface ProvenRequest {
  readonly request: AdapterRequest;
  readonly token: string;
  /** The key that the token is bound to. */
  readonly thumbprint: string;
  /** The token's caller. */
  readonly caller: string;
}

/** The parts that check proofs. */
export interface ProofParts {
  readonly settings: DpopSettings;
  readonly target: RequestTarget;
  readonly register: Pick<ReplayCache, 'use'>;
  /** Absent if proofs require no nonce. */
  readonly nonces?: DpopNonces | undefined;
}

/** The maximum number of cached keys. A client uses the same key in all of its proofs. */
const MOST_KEYS = 1000;

/** The clock tolerance for the `exp` and `nbf` of a proof. */
const LEEWAY_SECONDS = 60;

const LONGEST_JTI = 256;

/**
 * Checks for each request that the sender of a token holds its key.
 *
 * @see RFC 9449 §4.3
 */
export class DpopProofs {
  /** The keys of valid proofs, by encoded header. */
  readonly #keys = new LRUCache<string, ProofKey>({ max: MOST_KEYS });
  readonly #algorithms: ReadonlySet<unknown>;
  /**
   * The proof and token that a request has already shown. An application may also apply the guard globally, in which
   * case it runs twice.
   */
  readonly #proven = new WeakMap<object, string>();

  constructor(private readonly parts: ProofParts) {
    this.#algorithms = new Set(parts.settings.algorithms);
  }

  /**
   * Checks the proof of a request. Only valid proofs are recorded as used, so a sender without the key cannot fill
   * the memory.
   *
   * @throws {RefusedProofError} if the proof is missing or not valid
   * @throws {AuthUnavailableError} if it is unknown whether another process has seen the proof
   */
  async check(proven: ProvenRequest): Promise<void> {
    const proof = findProof(proven.request);
    const raw = proven.request.raw ?? proven.request;
    if (this.#proven.get(raw) === proof + proven.token) return;
    const decoded = decodeToken(proof);
    if (decoded === undefined) throw new RefusedProofError('The proof is not a JWT');
    const encodedHeader = proof.slice(0, proof.indexOf('.'));
    const known = this.#keys.get(encodedHeader);
    const key = known ?? (await readProofKey(decoded.header, this.#algorithms));
    if (key.thumbprint !== proven.thumbprint) {
      throw new RefusedProofError(
        'The proof was signed with a different key than the one the token is bound to',
        'invalid_token',
      );
    }
    const { jti, iat } = this.#assertClaims(decoded.payload, proven);
    await verify(proof, key);
    this.#assertNonce(decoded.payload);
    const { caller, thumbprint } = proven;
    if (!(await this.parts.register.use({ caller, thumbprint, jti, iat }))) {
      throw new RefusedProofError('The proof has already been used: create a new one for each request');
    }
    if (known === undefined) this.#keys.set(encodedHeader, key);
    this.#proven.set(raw, proof + proven.token);
  }

  #assertClaims(
    { jti, htm, htu, iat, ath, exp, nbf }: JsonObject,
    { request, token }: ProvenRequest,
  ): { readonly jti: string; readonly iat: number } {
    if (typeof jti !== 'string' || jti === '' || jti.length > LONGEST_JTI) {
      throw new RefusedProofError(
        `The jti in the proof must be a string of at most ${LONGEST_JTI} characters`,
      );
    }
    const { method } = request.raw ?? request;
    if (typeof htm !== 'string' || htm !== method) {
      throw new RefusedProofError('The htm in the proof does not match the request method');
    }
    if (typeof htu !== 'string' || !this.parts.target.matches(htu, request)) {
      throw new RefusedProofError(
        'The htu in the proof does not match the request URL: use the public URL from the metadata',
      );
    }
    if (ath !== hash('sha256', token, 'base64url')) {
      throw new RefusedProofError('The ath in the proof does not match the hash of the token');
    }
    if (!this.#isOfNow(iat)) {
      throw new RefusedProofError('The iat in the proof is not recent: check that the clocks are in sync');
    }
    if (isOver(exp, nbf)) throw new RefusedProofError('The proof has expired or is not yet valid');
    return { jti, iat };
  }

  #isOfNow(iat: unknown): iat is number {
    const { windowSeconds } = this.parts.settings;
    return Number.isFinite(iat) && Math.abs(Date.now() / 1000 - Number(iat)) <= windowSeconds;
  }

  #assertNonce({ nonce }: JsonObject): void {
    const { nonces } = this.parts;
    if (nonces === undefined || nonces.isRecent(nonce)) return;
    throw new RefusedProofError(
      'The proof must include the nonce from the DPoP-Nonce header',
      'use_dpop_nonce',
    );
  }
}

async function verify(proof: string, { key, algorithm }: ProofKey): Promise<void> {
  try {
    await compactVerify(proof, key, { algorithms: [algorithm] });
  } catch (cause) {
    throw new RefusedProofError('The proof signature does not match its key', undefined, { cause });
  }
}

/** Both claims are optional (RFC 7519 §4.1.4, §4.1.5). */
function isOver(exp: unknown, nbf: unknown): boolean {
  const now = Date.now() / 1000;
  const isEnded = exp !== undefined && !(Number.isFinite(exp) && Number(exp) > now - LEEWAY_SECONDS);
  return isEnded || (nbf !== undefined && !(Number.isFinite(nbf) && Number(nbf) < now + LEEWAY_SECONDS));
}

/** The maximum length of a proof in characters. Proofs with the largest keys are half as long. */
const LONGEST_PROOF = 8192;

/**
 * Returns a request's proof.
 *
 * @throws {RefusedProofError} if it is missing, repeated or too long
 * @see RFC 9449 §4.3, 1 and 2
 */
export function findProof({ headers, rawHeaders, raw }: AdapterRequest): string {
  const proof = headers['dpop'];
  if (proof === undefined || proof === '')
    throw new RefusedProofError('The DPoP header with the proof is missing');
  // Node joins repeated headers with commas, which never occur in a proof.
  const isOne = typeof proof === 'string' && !proof.includes(',');
  if (!isOne || isRepeated(rawHeaders ?? raw?.rawHeaders ?? [], 'dpop')) {
    throw new RefusedProofError('The request must have exactly one DPoP header, with one proof');
  }
  if (proof.length > LONGEST_PROOF) {
    throw new RefusedProofError(`The proof is longer than ${LONGEST_PROOF} characters`);
  }
  return proof;
}
