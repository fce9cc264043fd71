import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { StoredDpopKey } from '../credentials/credential-store.interface.js';

/** Options of a new key. */
export interface DpopKeyOptions {
  /** The algorithm of its signatures, one of those that the authorization server lists. @default 'ES256' */
  readonly algorithm?: string;
  /** Whether the private key can be exported, so that a store can keep it with the tokens. @default false */
  readonly isExtractable?: boolean;
}

interface KeyParts {
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly thumbprint: string;
  readonly privateJwk?: JWK | undefined;
}

/**
 * The key pair that tokens are bound to.
 *
 * @example
 * const key = await DpopKey.generate();
 * const tokenSource = new ClientCredentialsTokenSource({ serverUrl, clientId, clientSecret, dpop: key });
 *
 * @see RFC 9449 §4
 */
export class DpopKey {
  readonly algorithm: string;
  /** The public key, which proofs carry. */
  readonly publicJwk: JWK;
  /** The thumbprint of the key, which bound tokens have (RFC 7638). */
  readonly thumbprint: string;
  readonly #privateKey: CryptoKey;
  readonly #privateJwk: JWK | undefined;

  private constructor({ algorithm, privateKey, publicJwk, thumbprint, privateJwk }: KeyParts) {
    this.algorithm = algorithm;
    this.publicJwk = publicJwk;
    this.thumbprint = thumbprint;
    this.#privateKey = privateKey;
    this.#privateJwk = privateJwk;
  }

  /** Makes a key pair. */
  static async generate({
    algorithm = 'ES256',
    isExtractable = false,
  }: DpopKeyOptions = {}): Promise<DpopKey> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: isExtractable });
    const publicJwk = await exportJWK(publicKey);
    const thumbprint = await calculateJwkThumbprint(publicJwk);
    const privateJwk = isExtractable ? { ...(await exportJWK(privateKey)), alg: algorithm } : undefined;
    return new DpopKey({ algorithm, privateKey, publicJwk, thumbprint, privateJwk });
  }

  /**
   * Takes a key pair that was kept.
   *
   * @throws {TypeError} if it is no private key, or does not name its algorithm
   */
  static async import(privateJwk: JWK): Promise<DpopKey> {
    const { alg: algorithm, kty, d } = privateJwk;
    if (algorithm === undefined || kty === undefined || kty === 'oct' || d === undefined) {
      throw new TypeError(
        'The "privateJwk" must be an asymmetric private key with its "alg", such as "ES256"',
      );
    }
    const privateKey = (await importJWK(privateJwk, algorithm)) as CryptoKey;
    const publicJwk = selectPublicMembers(privateJwk);
    const thumbprint = await calculateJwkThumbprint(publicJwk);
    return new DpopKey({ algorithm, privateKey, publicJwk, thumbprint, privateJwk });
  }

  /** The private key, to sign with. */
  get privateKey(): CryptoKey {
    return this.#privateKey;
  }

  /** Returns what a store keeps of the key: the private key too if it can be exported. */
  toStored(): StoredDpopKey {
    const { thumbprint } = this;
    return { thumbprint, ...(this.#privateJwk && { privateJwk: this.#privateJwk }) };
  }
}

/** The public members are listed by name, because an unknown member may be the secret. */
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'pub'] as const;

function selectPublicMembers(jwk: JWK): JWK {
  const given: { readonly [member: string]: unknown } = jwk;
  const members = PUBLIC_MEMBERS.filter((member) => given[member] !== undefined);
  return Object.fromEntries(members.map((member) => [member, given[member]]));
}
