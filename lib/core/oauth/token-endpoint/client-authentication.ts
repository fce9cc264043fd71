import { type CryptoKey, importJWK, importPKCS8, type JWK } from 'jose';
import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
import { types } from 'node:util';
import * as oauth from 'oauth4webapi';

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

/** A private key: PEM (PKCS #8, or what OpenSSL writes), a JWK, or what Web Crypto holds. */
export type PrivateKeySource = string | { readonly [member: string]: unknown } | webcrypto.CryptoKey;

/** The identity of a client at an authorization server, and how the client proves it. */
export interface ClientIdentity {
  /** The client id; absent if the client's credentials already name it. */
  readonly clientId?: string | undefined;
  /** The secret of the client; not with `privateKey`. */
  readonly clientSecret?: string | undefined;
  /** The key whose public half the authorization server knows; not with `clientSecret`. */
  readonly privateKey?: PrivateKeySource | undefined;
  /**
   * The audience of assertions. Use `token_endpoint` if the authorization server does not accept its issuer as the
   * audience.
   * @default 'issuer'
   */
  readonly assertionAudience?: AssertionAudience | undefined;
  /** The algorithm that assertions are signed with. @default inferred from the key: `alg` of a JWK, else ES256 and the like, RS256 or EdDSA */
  readonly signingAlgorithm?: string | undefined;
  /** The id of the key at the authorization server. @default `kid` of a JWK, else none */
  readonly keyId?: string | undefined;
  /** How the client authenticates at the token endpoint. @default with a key `private_key_jwt`, with a secret what the server lists, Basic first */
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
 * Finds what is missing or unusable in a client's identity. Returns `undefined` if all is well. The problem continues a
 * sentence that begins with the property.
 */
export function findIdentityProblem(
  identity: ClientIdentity,
): { readonly member: keyof ClientIdentity; readonly fault: string } | undefined {
  const { clientId, clientSecret, privateKey, authenticationMethod: method } = identity;
  if (clientSecret !== undefined && privateKey !== undefined) {
    return { member: 'privateKey', fault: 'cannot be combined with "clientSecret": give one of them' };
  }
  if (!AUDIENCES.has(identity.assertionAudience)) {
    return { member: 'assertionAudience', fault: 'must be issuer or token_endpoint' };
  }
  if (clientId === undefined && (clientSecret !== undefined || privateKey !== undefined)) {
    const shown = clientSecret === undefined ? 'privateKey' : 'clientSecret';
    return { member: 'clientId', fault: `is required with "${shown}": it identifies its owner` };
  }
  if (method === undefined) return undefined;
  if (!Object.hasOwn(NEEDS, method)) {
    return { member: 'authenticationMethod', fault: `must be one of ${Object.keys(NEEDS).join(', ')}` };
  }
  const needed = NEEDS[method];
  if (needed === undefined || identity[needed] !== undefined) return undefined;
  return { member: needed, fault: `is required with the authentication method "${method}"` };
}

/** Selects how a client authenticates: as configured, or else from its credentials and what the server accepts. */
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

/** The endpoint at which a client authenticates. */
export interface AuthenticatedEndpoint {
  readonly endpoint: string;
  readonly supported: readonly string[] | undefined;
}

/**
 * Creates the function that adds a client's authentication to a request.
 *
 * @param endpoint the endpoint, with the methods that it lists
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 6749 §2.3, RFC 7523 §2.2
 */
export async function authenticateClient(
  client: ClientIdentity,
  { endpoint, supported }: AuthenticatedEndpoint,
): Promise<oauth.ClientAuth> {
  const method = selectAuthenticationMethod(client, supported);
  const { clientId, clientSecret = '' } = client;
  if (method === 'client_secret_basic') return authenticateByHeader(clientSecret);
  if (method === 'client_secret_post') return oauth.ClientSecretPost(clientSecret);
  // An assertion may suffice without any client authentication.
  if (method === 'none') return clientId === undefined ? () => undefined : oauth.None();
  const { key, algorithm, keyId: kid } = await importSigningKey(client);
  return oauth.PrivateKeyJwt(kid === undefined ? { key } : { key, kid }, {
    [oauth.modifyAssertion]: (header, payload) => {
      header['alg'] = algorithm;
      if (client.assertionAudience === 'token_endpoint') payload['aud'] = endpoint;
    },
  });
}

function authenticateByHeader(clientSecret: string): oauth.ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    headers.set('authorization', formatBasicCredentials(clientId, clientSecret));
  };
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

/** Form-encodes a string. Only what must be is encoded: many servers do not decode. */
export function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice('='.length);
}

/** A private key, ready to sign. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

type KeyParts = Pick<ClientIdentity, 'privateKey' | 'signingAlgorithm' | 'keyId'>;

/**
 * Imports the private key of a client for signing.
 *
 * @throws {TypeError} if there is no key, or if it cannot sign. The error does not contain the key
 */
export async function importSigningKey({
  privateKey,
  signingAlgorithm,
  keyId,
}: KeyParts): Promise<SigningKey> {
  try {
    if (typeof privateKey === 'string') return await importPem(privateKey, signingAlgorithm, keyId);
    if (types.isCryptoKey(privateKey) && privateKey.type === 'private') {
      return { key: privateKey, algorithm: signingAlgorithm ?? findAlgorithmOfKey(privateKey), keyId };
    }
    return await importJwk(privateKey as JWK, signingAlgorithm, keyId);
  } catch {
    // The parser's message may quote the key.
    throw new TypeError(
      'The "privateKey" must be an asymmetric private key, as PEM, JWK or CryptoKey, that "signingAlgorithm" can sign with',
    );
  }
}

async function importPem(
  pem: string,
  given: string | undefined,
  keyId: string | undefined,
): Promise<SigningKey> {
  const keyObject = createPrivateKey(pem);
  const algorithm = given ?? findAlgorithm(keyObject);
  const pkcs8 = keyObject.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { key: await importPKCS8(pkcs8, algorithm), algorithm, keyId };
}

async function importJwk(
  jwk: JWK,
  given: string | undefined,
  keyId: string | undefined,
): Promise<SigningKey> {
  const algorithm = given ?? jwk.alg ?? findAlgorithm(createPrivateKey({ key: jwk, format: 'jwk' }));
  const key = await importJWK({ ...jwk, alg: algorithm }, algorithm);
  if (key instanceof Uint8Array || key.type !== 'private') throw new TypeError('It is no private key');
  return { key, algorithm, keyId: keyId ?? jwk.kid };
}

const ALGORITHMS_OF_CURVES: { readonly [curve: string]: string } = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
  'P-256': 'ES256',
  'P-384': 'ES384',
  'P-521': 'ES512',
};

function findAlgorithm({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === 'rsa') return 'RS256';
  if (type === 'rsa-pss') return 'PS256';
  if (type === 'ed25519') return 'EdDSA';
  return getAlgorithmOfCurve(details?.namedCurve);
}

/** Web Crypto keys know their hash. */
function findAlgorithmOfKey({ algorithm }: CryptoKey): string {
  const { name, hash, namedCurve } = algorithm as {
    readonly name: string;
    readonly hash?: { readonly name: string };
    readonly namedCurve?: string;
  };
  const bits = hash?.name.replace('SHA-', '') ?? '';
  if (name === 'RSASSA-PKCS1-v1_5') return `RS${bits}`;
  if (name === 'RSA-PSS') return `PS${bits}`;
  if (name === 'Ed25519') return 'EdDSA';
  return getAlgorithmOfCurve(namedCurve);
}

function getAlgorithmOfCurve(curve = ''): string {
  const algorithm = ALGORITHMS_OF_CURVES[curve];
  if (algorithm === undefined) throw new TypeError('The key is of no kind that signs');
  return algorithm;
}
