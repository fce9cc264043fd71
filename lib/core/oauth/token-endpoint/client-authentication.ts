import { type CryptoKey, importJWK, importPKCS8, type JWK } from 'jose';
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { types } from 'node:util';
import * as oauth from 'oauth4webapi';
import {
  type ClientIdentity,
  formatBasicCredentials,
  selectAuthenticationMethod,
} from './client-identity.js';

/** The endpoint where a client authenticates. */
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
  // An assertion may be sufficient without any client authentication.
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

/** A private key, ready to sign. */
export interface SigningKey {
  readonly key: CryptoKey;
  readonly algorithm: string;
  readonly keyId: string | undefined;
}

type KeyParts = Pick<ClientIdentity, 'privateKey' | 'signingAlgorithm' | 'keyId'>;

/**
 * Imports a client's private key for signing.
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
      'The "privateKey" must be an asymmetric private key, as PEM, JWK or CryptoKey, that works with "signingAlgorithm"',
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
  if (key instanceof Uint8Array || key.type !== 'private') throw new TypeError('It is not a private key');
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
  if (algorithm === undefined) throw new TypeError('Keys of this type cannot sign');
  return algorithm;
}
