import { hash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** A request that needs a proof. */
export interface ProvenRequest {
  /** The URL of the request as clients know it: below the `resourceUri` of the server, wherever it listens. */
  readonly url: string;
  /** @default 'POST' */
  readonly method?: string;
  /** The nonce that the server gave in `DPoP-Nonce`, if it wants one. @default none */
  readonly nonce?: string | undefined;
}

/** A key of a client, for tests. */
export class ClientKey {
  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly jwk: JWK,
    /** The thumbprint of the key, which bound tokens have (RFC 7638). */
    readonly thumbprint: string,
  ) {}

  /** Makes a key. */
  static async create(): Promise<ClientKey> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    return new ClientKey(privateKey, jwk, await calculateJwkThumbprint(jwk));
  }

  /** Makes a proof for one request with a token. */
  prove(token: string, { url, method = 'POST', nonce }: ProvenRequest): Promise<string> {
    const { origin, pathname } = new URL(url);
    const claims = { jti: randomUUID(), htm: method, htu: origin + pathname, nonce };
    return new SignJWT({ ...claims, ath: hash('sha256', token, 'base64url') })
      .setIssuedAt()
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk })
      .sign(this.privateKey);
  }
}

/** A token that is bound to a key, with the key. */
export class BoundToken {
  constructor(
    readonly token: string,
    /** The key: another token can be bound to it too. */
    readonly key: ClientKey,
  ) {}

  /**
   * Gives the headers of one request, with a proof that counts once.
   *
   * @see RFC 9449 §7.1
   */
  async headers(request: ProvenRequest): Promise<{ readonly authorization: string; readonly dpop: string }> {
    return { authorization: `DPoP ${this.token}`, dpop: await this.key.prove(this.token, request) };
  }
}
