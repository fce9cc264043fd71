import { hash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** A request that needs a proof. */
export interface ProvenRequest {
  /** The URL of the request as clients know it. It begins with the server's `resourceUri`, not with the address that it listens on. */
  readonly url: string;
  /** @default 'POST' */
  readonly method?: string;
  /** The nonce from the server's header `DPoP-Nonce`, if the server requires one. @default none */
  readonly nonce?: string | undefined;
}

/**
 * A key of a client, for tests.
 *
 * @example
 * const key = await ClientKey.create();
 * const ada = await issuer.boundToken({ sub: 'ada' }, key);
 */
export class ClientKey {
  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly jwk: JWK,
    /** The thumbprint of the key, which bound tokens contain (RFC 7638). */
    readonly thumbprint: string,
  ) {}

  /** Generates a key. */
  static async create(): Promise<ClientKey> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    return new ClientKey(privateKey, jwk, await calculateJwkThumbprint(jwk));
  }

  /** Creates a proof for one request with a token. */
  prove(token: string, { url, method = 'POST', nonce }: ProvenRequest): Promise<string> {
    const { origin, pathname } = new URL(url);
    const claims = { jti: randomUUID(), htm: method, htu: origin + pathname, nonce };
    return new SignJWT({ ...claims, ath: hash('sha256', token, 'base64url') })
      .setIssuedAt()
      .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk })
      .sign(this.privateKey);
  }
}

/** A token that is bound to a key, together with the key. */
export class BoundToken {
  constructor(
    readonly token: string,
    /** The key. You can bind further tokens to it. */
    readonly key: ClientKey,
  ) {}

  /**
   * Returns the headers of one request, with a proof that is valid once.
   *
   * @see RFC 9449 §7.1
   */
  async headers(request: ProvenRequest): Promise<{ readonly authorization: string; readonly dpop: string }> {
    return { authorization: `DPoP ${this.token}`, dpop: await this.key.prove(this.token, request) };
  }
}
