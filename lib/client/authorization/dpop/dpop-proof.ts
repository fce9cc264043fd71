import { base64url, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { formatAuthorization } from '../format-authorization.js';
import type { RequestProof, RequestToProve } from '../token-source.interface.js';
import type { DpopKey } from './dpop-key.js';

/** What a proof is about. */
interface ProofSubject {
  readonly method: string;
  readonly url: string;
  /** The token that goes with the request; absent at a token endpoint. */
  readonly token?: string | undefined;
}

/** A client talks to an authorization server or two, and to one resource. */
const MOST_NONCES = 32;

/** A longer value cannot be a nonce, and each proof would carry it. */
const LONGEST_NONCE = 1024;

/**
 * Proves with each request that its sender has the key. Each proof carries the latest nonce of the server.
 *
 * @example
 * const proof = new DpopProof(await DpopKey.generate());
 * const { authorization, dpop } = await proof.buildHeaders({ method: 'POST', url, token });
 *
 * @see RFC 9449 §4, §8, §9
 */
export class DpopProof implements RequestProof {
  /** The nonces by the origin of their servers. */
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

  /** Makes the proof of one request, which no other may carry. */
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

/** Uses only what browsers have too, because proofs are also made there. */
async function hashToken(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return base64url.encode(new Uint8Array(digest));
}
