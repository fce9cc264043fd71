import { generateKeyPairSync, hash, randomUUID, type KeyObject } from 'node:crypto';
import { byEc, encode, type KeyPair, type Signer } from './forger.js';

/** What a proof consists of where it is no good one: members that are `undefined` are left out, a text is taken as it is. */
export interface ProofParts {
  readonly header?: { readonly [name: string]: unknown } | string;
  readonly claims?: { readonly [name: string]: unknown } | string | Buffer;
  /** @default its own key */
  readonly signer?: Signer;
}

/** What proofs are about where a test does not say. */
export interface ProofSubject {
  readonly htu: string;
  /** @default 'POST' */
  readonly htm?: string;
  /** What bound tokens are got by; absent for proofs without one. */
  readonly token?: string;
}

/** A client with a key, which makes proofs of any shape. */
export class Prover {
  readonly pair: KeyPair = { kid: 'client', ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };

  constructor(public subject: ProofSubject) {}

  /** The public key, as proofs show it. */
  get jwk(): { readonly [member: string]: unknown } {
    return exportKey(this.pair.publicKey);
  }

  /** The private key, as none should be shown. */
  get privateJwk(): { readonly [member: string]: unknown } {
    return exportKey(this.pair.privateKey);
  }

  /** What bound tokens name the key by (RFC 7638 §3). */
  get thumbprint(): string {
    const { crv, kty, x, y } = this.jwk;
    return hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
  }

  /** What a good proof says now. */
  get claims(): { readonly [name: string]: unknown } {
    const { htu, htm = 'POST', token } = this.subject;
    const ath = token === undefined ? undefined : hash('sha256', token, 'base64url');
    return { jti: randomUUID(), htm, htu, iat: Math.floor(Date.now() / 1000), ath };
  }

  /** Puts a proof together. */
  proof({ header = {}, claims = {}, signer = byEc(this.pair) }: ProofParts = {}): string {
    const parts = [
      typeof header === 'string' ? header : { typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...header },
      typeof claims === 'string' || Buffer.isBuffer(claims) ? claims : { ...this.claims, ...claims },
    ];
    const input = parts.map(encode).join('.');
    return `${input}.${encode(signer(Buffer.from(input)))}`;
  }

  /** The headers of one request, each time with another proof. */
  headers(parts?: ProofParts): { readonly authorization: string; readonly dpop: string } {
    return { authorization: `DPoP ${this.subject.token}`, dpop: this.proof(parts) };
  }
}

function exportKey(key: KeyObject): { readonly [member: string]: unknown } {
  return { ...key.export({ format: 'jwk' }) };
}
