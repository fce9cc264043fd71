import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose';
import type { JsonObject } from '../../../core/protocol/parse-json-object.js';
import { RefusedProofError } from './refused-proof.error.js';

/** The key of a proof. */
export interface ProofKey {
  readonly algorithm: string;
  readonly key: CryptoKey;
  /** The name of the key (RFC 7638). */
  readonly thumbprint: string;
}

/** What makes a key private or symmetric (RFC 7518 §6.2.2, §6.3.2, §6.4, RFC 8037 §2). */
const SECRET_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const;

/** The members of a public key. Other members of its JWK are ignored. */
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** The kinds of keys by the first two letters of algorithms. */
const KINDS: { readonly [prefix: string]: string } = { RS: 'RSA', PS: 'RSA', ES: 'EC', Ed: 'OKP' };

/**
 * Reads the key that a proof shows in its header.
 *
 * @param algorithms those that are taken
 * @throws {RefusedProofError} if it is no proof's header, or shows no public key
 * @see RFC 9449 §4.2, §4.3, RFC 7517
 */
export async function readProofKey(header: JsonObject, algorithms: ReadonlySet<unknown>): Promise<ProofKey> {
  const { typ, alg, jwk, crit } = header;
  if (typ !== 'dpop+jwt') throw new RefusedProofError('The typ of the proof must be dpop+jwt');
  if (typeof alg !== 'string' || !algorithms.has(alg)) {
    throw new RefusedProofError('The alg of the proof is not taken here: see algs');
  }
  // No extension of the standard is known here, so none may be critical (RFC 7515 §4.1.11).
  if (crit !== undefined) throw new RefusedProofError('The proof has a crit that is not known here');
  const publicKey = selectPublicKey(jwk, alg);
  try {
    const key = await importJWK({ ...publicKey, alg }, alg);
    return { algorithm: alg, key: key as CryptoKey, thumbprint: await calculateJwkThumbprint(publicKey) };
  } catch (cause) {
    throw new RefusedProofError('The jwk of the proof is no key for its alg', undefined, { cause });
  }
}

function selectPublicKey(jwk: unknown, algorithm: string): JWK {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) {
    throw new RefusedProofError('The proof must show its public key as jwk');
  }
  const given = jwk as JsonObject;
  if (SECRET_MEMBERS.some((member) => given[member] !== undefined)) {
    throw new RefusedProofError(
      'The jwk of the proof must be a public key: make another, this one is known now',
    );
  }
  const { kty, use = 'sig', key_ops: operations = ['verify'] } = given;
  const isForSigning = use === 'sig' && Array.isArray(operations) && operations.includes('verify');
  if (kty !== KINDS[algorithm.slice(0, 2)] || !isForSigning) {
    throw new RefusedProofError('The jwk of the proof is no key for its alg');
  }
  const members = PUBLIC_MEMBERS.filter((member) => typeof given[member] === 'string');
  return Object.fromEntries(members.map((member) => [member, given[member]]));
}
