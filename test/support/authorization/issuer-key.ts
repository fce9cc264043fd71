import { randomUUID } from 'node:crypto';
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose';

/** A key pair of an issuer, or one that pretends to be. */
export class IssuerKey {
  private constructor(
    readonly algorithm: string,
    /** What the key set shows of it; tests may change it before it is served. */
    readonly jwk: JWK,
    readonly privateKey: CryptoKey,
  ) {}

  static async create(algorithm = 'ES256', kid: string = randomUUID()): Promise<IssuerKey> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const jwk = await exportJWK(publicKey);
    return new IssuerKey(algorithm, { ...jwk, kid, alg: algorithm, use: 'sig' }, privateKey);
  }

  get kid(): string {
    return this.jwk.kid ?? '';
  }
}

/** What a token consists of; a claim or header that is `undefined` is left out. */
export interface TokenParts {
  readonly header: { readonly [name: string]: unknown };
  /** Objects become JSON; a text is taken as it is. */
  readonly payload: unknown;
}

/** Signs a token with a private key, or with the bytes of a secret. */
export async function signToken(
  { header, payload }: TokenParts,
  key: CryptoKey | Uint8Array,
): Promise<string> {
  const { crit } = header;
  const extensions = Array.isArray(crit) ? crit.map((name) => [String(name), false]) : [];
  return new CompactSign(Buffer.from(formatPayload(payload)))
    .setProtectedHeader({ ...withoutUndefined(header), alg: String(header['alg']) })
    .sign(key, { crit: Object.fromEntries(extensions) });
}

/** Puts a token together, signed by nobody: of any shape. */
export function formatToken({ header, payload }: TokenParts, signature = ''): string {
  return [JSON.stringify(header), formatPayload(payload)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .concat(signature)
    .join('.');
}

function formatPayload(payload: unknown): string {
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

function withoutUndefined(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
