import { createHash } from 'node:crypto';
import {
  by,
  byEc,
  byHmac,
  byPss,
  byRsa,
  encode,
  type Forger,
  type KeyPair,
} from '../../../support/authorization/forger.js';
import type { Attack } from './attack.js';

const RSA = { alg: 'RS256', kid: 'issuer-rsa' };

const none = (f: Forger, header: object): string => f.token({ header: { ...header }, signer: by() });

/** A token under a secret, which is some form of a public key. */
const hmac = (f: Forger, secret: string | Buffer, header: { alg?: string; kid?: string } = {}): string => {
  const { alg = 'HS256' } = header;
  return f.token({ header: { ...header, alg }, signer: byHmac(secret, `sha${alg.slice(2)}`) });
};

const pem = ({ publicKey }: KeyPair, type: 'spki' | 'pkcs1' = 'spki'): string =>
  publicKey.export({ format: 'pem', type }).toString();
const der = ({ publicKey }: KeyPair): Buffer => publicKey.export({ format: 'der', type: 'spki' });
const jwk = ({ publicKey }: KeyPair) => publicKey.export({ format: 'jwk' });
const bytes = (text = ''): Buffer => Buffer.from(text, 'base64url');

/** The order of P-256: as good as zero where nobody looks. */
const ORDER = bytes('_____wAAAAD__________7zm-q2nF56E87nKwvxjJVE');
const ONE = Buffer.concat([Buffer.alloc(31), Buffer.of(1)]);
const ZERO = Buffer.alloc(32);

export const ATTACKS_ON_ALGORITHMS: readonly Attack[] = [
  ['"alg" none without a signature', (f) => none(f, { alg: 'none' })],
  ['"alg" none without its last dot', (f) => none(f, { alg: 'none' }).slice(0, -1)],
  ['"alg" none with a good signature', (f) => f.swap({ header: encode({ alg: 'none' }) })],
  ['"alg" None', (f) => none(f, { alg: 'None' })],
  ['"alg" NONE', (f) => none(f, { alg: 'NONE' })],
  ['"alg" nOnE', (f) => none(f, { alg: 'nOnE' })],
  ['"alg" none and a space', (f) => none(f, { alg: 'none ' })],
  ['"alg" none, no "kid", no "typ"', (f) => none(f, { alg: 'none', kid: undefined, typ: undefined })],
  ['"alg" empty', (f) => none(f, { alg: '' })],
  ['"alg" missing', (f) => f.token({ header: { alg: undefined } })],
  ['"alg" null', (f) => f.token({ header: { alg: null } })],
  ['"alg" a number', (f) => f.token({ header: { alg: 256 } })],
  ['"alg" an array', (f) => f.token({ header: { alg: ['ES256'] } })],
  ['"alg" an object', (f) => f.token({ header: { alg: { toString: 'ES256' } } })],
  ['"alg" in lower case', (f) => f.token({ header: { alg: 'es256' } })],
  ['"alg" with a null character', (f) => f.token({ header: { alg: 'ES256\0' } })],
  ['"alg" of encryption', (f) => f.token({ header: { ...RSA, alg: 'RSA-OAEP' } })],
  ['"alg" twice, none last', (f) => f.token({ header: '{"alg":"ES256","alg":"none"}', signer: by() })],
  ['"alg" twice, none first', (f) => f.token({ header: '{"alg":"none","alg":"ES256"}', signer: by() })],
  ['ES384 with a key of P-256', (f) => f.token({ header: { alg: 'ES384' } })],
  ['EdDSA with a key of P-256', (f) => f.token({ header: { alg: 'EdDSA' } })],
  ['ES256 with the name of an RSA key', (f) => f.token({ header: { kid: 'issuer-rsa' } })],
  ['RS256 with the name of a P-256 key', (f) => f.token({ header: { alg: 'RS256' }, signer: byRsa(f.rsa) })],
  ['HS256 with the PEM of P-256', (f) => hmac(f, pem(f.ec))],
  ['HS256 with that PEM, trimmed', (f) => hmac(f, pem(f.ec).trim())],
  ['HS256 with the PEM of RSA', (f) => hmac(f, pem(f.rsa), { kid: 'issuer-rsa' })],
  ['HS384 with the PEM of RSA', (f) => hmac(f, pem(f.rsa), { alg: 'HS384', kid: 'issuer-rsa' })],
  ['HS512 with the PKCS #1 PEM', (f) => hmac(f, pem(f.rsa, 'pkcs1'), { alg: 'HS512', kid: 'issuer-rsa' })],
  ['HS256 with the DER', (f) => hmac(f, der(f.rsa), { kid: 'issuer-rsa' })],
  ['HS256 with the JWK', (f) => hmac(f, JSON.stringify(jwk(f.ec)))],
  ['HS256 with the text of "n"', (f) => hmac(f, String(jwk(f.rsa).n), { kid: 'issuer-rsa' })],
  ['HS256 with the bytes of "n"', (f) => hmac(f, bytes(jwk(f.rsa).n), { kid: 'issuer-rsa' })],
  ['HS256 with the bytes of "x"', (f) => hmac(f, bytes(jwk(f.ec).x))],
  ['HS256 with an empty secret', (f) => hmac(f, '')],
  ['HS256 with a symmetric key of the set', (f) => hmac(f, f.secret, { kid: 'issuer-secret' })],
  ['ES256 with the name of that key', (f) => f.token({ header: { kid: 'issuer-secret' } })],
  ['PS256 with a key for RS256', (f) => f.token({ header: { ...RSA, alg: 'PS256' }, signer: byPss(f.rsa) })],
  [
    'RS512 with a key for RS256',
    (f) => f.token({ header: { ...RSA, alg: 'RS512' }, signer: byRsa(f.rsa, 'sha512') }),
  ],
  ['RS256 named, PS256 used', (f) => f.token({ header: RSA, signer: byPss(f.rsa) })],
  ['RS256 named, SHA-1 used', (f) => f.token({ header: RSA, signer: byRsa(f.rsa, 'sha1') })],
  ['no signature', (f) => f.token({ signer: by() })],
  ['a signature of (0, 0)', (f) => f.token({ signer: by(Buffer.concat([ZERO, ZERO])) })],
  ['a signature of (1, 0)', (f) => f.token({ signer: by(Buffer.concat([ONE, ZERO])) })],
  ['a signature of (1, 1)', (f) => f.token({ signer: by(Buffer.concat([ONE, ONE])) })],
  ['a signature of the order twice', (f) => f.token({ signer: by(Buffer.concat([ORDER, ORDER])) })],
  ['a signature in DER', (f) => f.token({ signer: byEc(f.ec, 'der') })],
  ['half a signature', (f) => f.token({ signer: (input) => byEc(f.ec)(input).subarray(0, 32) })],
  ['a signature and more', (f) => f.token({ signer: (input) => Buffer.concat([byEc(f.ec)(input), ZERO]) })],
  [
    'a digest for a signature',
    (f) => f.token({ signer: (input) => createHash('sha256').update(input).digest() }),
  ],
  [
    'the signature of another token',
    (f) => f.swap({ signature: f.token({ claims: { jti: '2' } }).split('.')[2] }),
  ],
  ['another payload', (f) => f.swap({ payload: encode({ ...f.claims, sub: 'root' }) })],
  ['another header', (f) => f.swap({ header: encode({ alg: 'ES256', kid: 'issuer-ec' }) })],
];
