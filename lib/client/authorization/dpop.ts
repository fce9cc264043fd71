import {
  base64url,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type CryptoKey,
  type JWK,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { formatAuthorization } from './authorization-headers.js';
import type { ClientHttp } from './client-http.interface.js';
import type { StoredDpopKey } from './credentials/credential-store.js';
import type { RequestProof, RequestToProve } from './token-source.js';

/** Options for a new key. */
export interface DpopKeyOptions {
  /** Its signature algorithm, which must be one that the authorization server lists. @default 'ES256' */
  readonly algorithm?: string;
  /** Whether the private key can be exported and stored with the tokens. @default false */
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
  /** The public key, which proofs contain. */
  readonly publicJwk: JWK;
  /** The key's thumbprint, which bound tokens contain (RFC 7638). */
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

  /** Generates a key pair. */
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
   * Imports a stored key pair.
   *
   * @throws {TypeError} if it is not a private key, or does not specify its algorithm
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

  /** The private key for signing. */
  get privateKey(): CryptoKey {
    return this.#privateKey;
  }

  /** Returns the key for storage, with the private key if that can be exported. */
  toStored(): StoredDpopKey {
    const { thumbprint } = this;
    return { thumbprint, ...(this.#privateJwk && { privateJwk: this.#privateJwk }) };
  }
}

/** Public properties are listed by name, because an unknown property may be secret. */
const PUBLIC_MEMBERS = ['kty', 'crv', 'x', 'y', 'n', 'e', 'pub'] as const;

function selectPublicMembers(jwk: JWK): JWK {
  const given: { readonly [member: string]: unknown } = jwk;
  const members = PUBLIC_MEMBERS.filter((member) => given[member] !== undefined);
  return Object.fromEntries(members.map((member) => [member, given[member]]));
}

/** The request that a proof is created for. */
interface ProofSubject {
  readonly method: string;
  readonly url: string;
  /** The request's token; absent at a token endpoint. */
  readonly token?: string | undefined;
}

/** A client calls one or two authorization servers, and one resource. */
const MOST_NONCES = 32;

/** A longer value is not a nonce, and would be repeated in each proof. */
const LONGEST_NONCE = 1024;

/**
 * Proves possession of the key with each request. Each proof contains the server's latest nonce.
 *
 * @example
 * const proof = new DpopProof(await DpopKey.generate());
 * const { authorization, dpop } = await proof.buildHeaders({ method: 'POST', url, token });
 *
 * @see RFC 9449 §4, §8, §9
 */
export class DpopProof implements RequestProof {
  /** The nonces, keyed by server origin. */
  readonly #nonces = new LRUCache<string, string>({ max: MOST_NONCES });

  constructor(readonly key: DpopKey) {}

  async buildHeaders({
    method,
    url,
    token,
  }: RequestToProve): Promise<{ readonly authorization: string; readonly dpop: string }> {
    const authorization = formatAuthorization(token, 'DPoP');
    return { authorization, dpop: await this.sign({ method, url, token }) };
  }

  heedAnswer(url: string, headers: Headers): void {
    const nonce = headers.get('dpop-nonce');
    if (nonce === null || nonce === '' || nonce.length > LONGEST_NONCE) return;
    this.#nonces.set(new URL(url).origin, nonce);
  }

  /** Signs the proof of one request. A proof is valid once. */
  async sign({ method, url, token }: ProofSubject): Promise<string> {
    const { origin, pathname } = new URL(url);
    const nonce = this.#nonces.peek(origin);
    const { algorithm: alg, publicJwk: jwk, privateKey } = this.key;
    return new SignJWT({
      jti: crypto.randomUUID(),
      htm: method,
      htu: `${origin}${pathname}`,
      ...(nonce !== undefined && { nonce }),
      ...(token !== undefined && { ath: await hashToken(token) }),
    })
      .setIssuedAt()
      .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk })
      .sign(privateKey);
  }
}

/** Uses Web Crypto, because browsers sign proofs too. */
async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return base64url.encode(new Uint8Array(digest));
}

/**
 * Wraps {@link ClientHttp} for a token endpoint: each request has a proof for the key that the tokens will be bound
 * to. The next proof repeats a response's nonce.
 *
 * @see RFC 9449 §5, §8
 */
export function createProvingHttp(http: ClientHttp, proof: DpopProof): ClientHttp {
  return async (url, request = {}) => {
    const target = String(url);
    const headers = new Headers(request.headers);
    headers.set('dpop', await proof.sign({ method: request.method ?? 'GET', url: target }));
    const response = await http(target, { ...request, headers });
    proof.heedAnswer(target, response.headers);
    return response;
  };
}
