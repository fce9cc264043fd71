import { hash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

/** A request that requires a proof. */
export interface ProvenRequest {
  /**
   * The request URL that clients use. It starts with the server's `resourceUri`, not with the address that the server
   * listens on.
   */
  readonly url: string;
  /** The HTTP method. @default 'POST' */
  readonly method?: string;
  /** The nonce from the server's `DPoP-Nonce` header, if the server requires one. @default none */
  readonly nonce?: string | undefined;
}

/**
 * A client key for tests.
 *
 * @example
 * const key = await ClientKey.create();
 * const ada = await issuer.boundToken({ sub: 'ada' }, key);
 */
export class ClientKey {
  private constructor(
    private readonly privateKey: CryptoKey,
    private readonly jwk: JWK,
    /** The key's thumbprint, which bound tokens contain (RFC 7638). */
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
    /** The key, which you can bind further tokens to. */
    readonly key: ClientKey,
  ) {}

  /**
   * Returns one request's headers, with a proof that is valid once.
   *
   * @see RFC 9449 §7.1
   */
  async headers(request: ProvenRequest): Promise<{ readonly authorization: string; readonly dpop: string }> {
    return { authorization: `DPoP ${this.token}`, dpop: await this.key.prove(this.token, request) };
  }
}
