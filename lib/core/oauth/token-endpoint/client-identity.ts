import type { webcrypto } from 'node:crypto';

/**
 * How a client authenticates at a token endpoint.
 *
 * @see RFC 6749 §2.3, RFC 7523 §2.2
 */
export type ClientAuthenticationMethod =
  'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

/** The audience of a client's assertion: the issuer, or the endpoint. */
export type AssertionAudience = 'issuer' | 'token_endpoint';

const AUDIENCES: ReadonlySet<unknown> = new Set(['issuer', 'token_endpoint', undefined]);

/** A private key: PEM (PKCS #8 or an OpenSSL format), a JWK, or a Web Crypto key. */
export type PrivateKeySource = string | { readonly [member: string]: unknown } | webcrypto.CryptoKey;

/** A client's identity at an authorization server, and how the client proves it. */
export interface ClientIdentity {
  /** The client id; absent if the client's credentials already contain it. */
  readonly clientId?: string | undefined;
  /** The client's secret; not with `privateKey`. */
  readonly clientSecret?: string | undefined;
  /** The private key whose public key is registered with the authorization server; not with `clientSecret`. */
  readonly privateKey?: PrivateKeySource | undefined;
  /**
   * The audience of assertions. Use `token_endpoint` if the authorization server does not accept its issuer as the
   * audience.
   * @default 'issuer'
   */
  readonly assertionAudience?: AssertionAudience | undefined;
  /**
   * The signature algorithm for assertions. @default inferred from the key: the JWK's `alg`, or else an ECDSA
   * algorithm such as ES256, RS256 or EdDSA
   */
  readonly signingAlgorithm?: string | undefined;
  /** The key id at the authorization server. @default `kid` of a JWK, else none */
  readonly keyId?: string | undefined;
  /**
   * How the client authenticates at the token endpoint. @default `private_key_jwt` with a key; with a secret, a
   * method that the server lists, preferably Basic
   */
  readonly authenticationMethod?: ClientAuthenticationMethod | undefined;
}

const NEEDS: { readonly [method in ClientAuthenticationMethod]: 'clientSecret' | 'privateKey' | undefined } =
  {
    client_secret_basic: 'clientSecret',
    client_secret_post: 'clientSecret',
    private_key_jwt: 'privateKey',
    none: undefined,
  };

/**
 * Finds a missing or unusable part of a client's identity. Returns `undefined` if there is no problem. The problem is
 * phrased to follow the property name.
 */
export function findIdentityProblem(
  identity: ClientIdentity,
): { readonly member: keyof ClientIdentity; readonly problem: string } | undefined {
  const { clientId, clientSecret, privateKey, authenticationMethod: method } = identity;
  if (clientSecret !== undefined && privateKey !== undefined) {
    return { member: 'privateKey', problem: 'cannot be combined with "clientSecret": set one of them' };
  }
  if (!AUDIENCES.has(identity.assertionAudience)) {
    return { member: 'assertionAudience', problem: 'must be "issuer" or "token_endpoint"' };
  }
  if (clientId === undefined && (clientSecret !== undefined || privateKey !== undefined)) {
    const shown = clientSecret === undefined ? 'privateKey' : 'clientSecret';
    return { member: 'clientId', problem: `is required with "${shown}": it identifies its owner` };
  }
  if (method === undefined) return undefined;
  if (!Object.hasOwn(NEEDS, method)) {
    return { member: 'authenticationMethod', problem: `must be one of ${Object.keys(NEEDS).join(', ')}` };
  }
  const needed = NEEDS[method];
  if (needed === undefined || identity[needed] !== undefined) return undefined;
  return { member: needed, problem: `is required with the authentication method "${method}"` };
}

/**
 * Selects how a client authenticates: as configured, or else based on its credentials and the methods that the server
 * accepts.
 */
export function selectAuthenticationMethod(
  { clientSecret, privateKey, authenticationMethod }: ClientIdentity,
  supported: readonly string[] = ['client_secret_basic'],
): ClientAuthenticationMethod {
  if (authenticationMethod !== undefined) return authenticationMethod;
  if (privateKey !== undefined) return 'private_key_jwt';
  if (clientSecret === undefined) return 'none';
  const isPostOnly = supported.includes('client_secret_post') && !supported.includes('client_secret_basic');
  return isPostOnly ? 'client_secret_post' : 'client_secret_basic';
}

/**
 * Formats the `Authorization` header for a client and its secret, both form-encoded before they are joined.
 *
 * @see RFC 6749 §2.3.1, RFC 7617
 */
export function formatBasicCredentials(clientId: string, clientSecret: string): string {
  const credentials = [clientId, clientSecret].map(encodeForm).join(':');
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/**
 * Form-encodes a string. Encodes only the characters that must be encoded, because many servers do not decode them.
 */
export function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}
