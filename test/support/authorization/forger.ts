import { constants, createHmac, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type { TestIssuer } from './issuer.js';
import { RESOURCE } from '../applications/protected-desk.js';

/** Signs the first two parts of a token. */
export type Signer = (input: Buffer) => Buffer;

/** A key pair of whomever. */
export interface KeyPair {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** What is forged: a good token but for this. A text is taken as it is, `undefined` is left out. */
export interface Forgery {
  readonly header?: { readonly [name: string]: unknown } | string;
  readonly claims?: { readonly [name: string]: unknown } | string | Buffer;
  /** @default the issuer's own key of the kind ES256: what is wrong is not the signature then */
  readonly signer?: Signer;
}

export const byEc =
  (key: KeyPair, dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363'): Signer =>
  (input) =>
    sign('sha256', input, { key: key.privateKey, dsaEncoding });

export const byRsa =
  ({ privateKey }: KeyPair, algorithm = 'sha256'): Signer =>
  (input) =>
    sign(algorithm, input, privateKey);

export const byPss =
  ({ privateKey: key }: KeyPair): Signer =>
  (input) =>
    sign('sha256', input, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });

export const byHmac =
  (secret: string | Buffer, algorithm = 'sha256'): Signer =>
  (input) =>
    createHmac(algorithm, secret).update(input).digest();

/** Puts these bytes in the place of a signature. */
export const by =
  (signature: Buffer | string = ''): Signer =>
  () =>
    Buffer.from(signature);

/** Writes a part of a token. */
export function encode(part: unknown): string {
  const bytes = Buffer.isBuffer(part) ? part : typeof part === 'string' ? part : JSON.stringify(part);
  return Buffer.from(bytes).toString('base64url');
}

/**
 * Forges tokens of an issuer. It knows the issuer's public keys as everybody does, has keys and a server of its own, and
 * gets the issuer to sign whatever it wants said.
 */
export class Forger {
  readonly ec = createEc('issuer-ec');
  readonly rsa = getRsaKeys().signing;
  readonly weak = getRsaKeys().weak;
  readonly encrypting = getRsaKeys().encrypting;
  readonly wrapping = getRsaKeys().wrapping;
  /** Symmetric, and published by mistake. */
  readonly secret = randomBytes(32);
  readonly ownEc = createEc('issuer-ec');
  readonly ownRsa = getRsaKeys().own;

  constructor(
    readonly issuer: TestIssuer,
    /** Where nobody has any business: it notes who asks. */
    readonly canary: TestIssuer,
  ) {
    issuer.keys = [];
    issuer.otherKeys = [
      publish(this.ec, { alg: 'ES256', use: 'sig' }),
      publish(this.rsa, { alg: 'RS256', use: 'sig' }),
      publish(this.weak, { alg: 'RS256', use: 'sig' }),
      publish(this.encrypting, { use: 'enc' }),
      publish(this.wrapping, { key_ops: ['wrapKey', 'encrypt'] }),
      { kty: 'oct', kid: 'issuer-secret', alg: 'HS256', k: this.secret.toString('base64url') },
    ];
  }

  /** What a good token says. */
  get claims(): { readonly [name: string]: unknown } {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now, exp: now + 300 };
    return { iss: this.issuer.url, sub: 'ada', aud: RESOURCE, client_id: 'desk-app', ...times };
  }

  /** Puts a token together. */
  token({ header = {}, claims = {}, signer = byEc(this.ec) }: Forgery = {}): string {
    const parts = [
      typeof header === 'string' ? header : { alg: 'ES256', kid: 'issuer-ec', typ: 'at+jwt', ...header },
      typeof claims === 'string' || Buffer.isBuffer(claims) ? claims : { ...this.claims, ...claims },
    ];
    const input = parts.map(encode).join('.');
    return `${input}.${encode(signer(Buffer.from(input)))}`;
  }

  /** Puts other parts in the place of those of a good token. */
  swap(other: { header?: string; payload?: string; signature?: string | undefined }): string {
    const [header, payload, signature] = this.split();
    return Object.values({ header, payload, signature, ...other }).join('.');
  }

  /** Gives the three parts of a good token. */
  split(): [header: string, payload: string, signature: string] {
    return this.token().split('.') as [string, string, string];
  }
}

function createEc(kid: string): KeyPair {
  return { kid, ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
}

let rsaKeys: ReturnType<typeof createRsaKeys> | undefined;

/** They take long to make: all forgers of a suite have the same. */
function getRsaKeys() {
  rsaKeys ??= createRsaKeys();
  return rsaKeys;
}

function createRsaKeys() {
  return {
    signing: createRsa('issuer-rsa'),
    weak: createRsa('issuer-weak', 1024),
    encrypting: createRsa('issuer-encrypting'),
    wrapping: createRsa('issuer-wrapping'),
    own: createRsa('issuer-rsa'),
  };
}

function createRsa(kid: string, modulusLength = 2048): KeyPair {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength }) };
}

function publish({ kid, publicKey }: KeyPair, members: object): object {
  return { ...publicKey.export({ format: 'jwk' }), kid, ...members };
}
