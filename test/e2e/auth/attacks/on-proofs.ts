import { generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { RESOURCE } from '../../../support/applications/protected-desk.js';
import { by, byEc, byHmac, byRsa, encode } from '../../../support/authorization/forger.js';
import { Prover, type ProofParts } from '../../../support/authorization/prover.js';

/** A proof that is attacked with: what differs from a good one, or the headers of the whole request. */
type Wrong = ProofParts | { readonly headers: OutgoingHttpHeaders };

/** An attack by a proof, and the error that the challenge names. */
export type ProofAttack = readonly [
  name: string,
  error: 'invalid_dpop_proof' | 'invalid_token',
  make: (prover: Prover) => Wrong,
];

const now = (): number => Math.floor(Date.now() / 1000);

const claims = (name: string, make: (prover: Prover) => unknown): ProofAttack[2] => {
  return (prover) => ({ claims: { [name]: make(prover) } });
};

const headed = (make: (prover: Prover) => object): ProofAttack[2] => {
  return (prover) => ({ header: { ...make(prover) } });
};

const sent = (make: (prover: Prover) => string | string[] | undefined): ProofAttack[2] => {
  return (prover) => {
    const { authorization } = prover.headers();
    const dpop = make(prover);
    return { headers: { authorization, ...(dpop !== undefined && { dpop }) } };
  };
};

const twice = (proof: string): string[] => [proof, proof];

/** A key that has nothing to do with the token. */
const stranger = new Prover({ htu: RESOURCE });

const rsa = (modulusLength: number) => {
  const pair = { kid: 'rsa', ...generateKeyPairSync('rsa', { modulusLength }) };
  return { pair, jwk: pair.publicKey.export({ format: 'jwk' }) };
};
const [weak, short] = [rsa(512), rsa(1024)];
const other = generateKeyPairSync('ec', { namedCurve: 'P-384' });

const BAD: readonly (readonly [string, ProofAttack[2]])[] = [
  // RFC 9449 §4.3, 1 and 2
  ['no proof', sent(() => undefined)],
  ['an empty proof', sent(() => '')],
  ['two headers', sent((p) => [p.proof(), p.proof()])],
  ['two headers with one proof', sent((p) => twice(p.proof()))],
  ['a good header, then a bad one', sent((p) => [p.proof(), 'x'])],
  ['two proofs in one header', sent((p) => `${p.proof()}, ${p.proof()}`)],
  ['a word', sent(() => 'this-is-not-a-jwt')],
  ['the token for a proof', sent((p) => p.subject.token)],
  ['a proof without its signature', sent((p) => p.proof().split('.').slice(0, 2).join('.'))],
  ['a proof of four parts', sent((p) => `${p.proof()}.x`)],
  ['a proof in its JSON form', sent((p) => JSON.stringify({ payload: p.proof() }))],
  ['a proof with a space', sent((p) => `${p.proof()} x`)],
  ['a proof that is too long', (p) => ({ claims: { ...p.claims, pad: 'p'.repeat(8000) } })],
  [
    'a header with a member twice',
    (p) => ({ header: `{"typ":"dpop+jwt","alg":"ES256","jwk":{},"jwk":${JSON.stringify(p.jwk)}` }),
  ],
  ['claims that are no UTF-8', () => ({ claims: Buffer.from([0x7b, 0xff, 0x7d]) })],
  ['claims that are a list', () => ({ claims: '[]' })],
  // 4
  ['no type', headed(() => ({ typ: undefined }))],
  ['the type of a token', headed(() => ({ typ: 'at+jwt' }))],
  ['the type of any JWT', headed(() => ({ typ: 'JWT' }))],
  // 5
  ['no signature', () => ({ header: { alg: 'none' }, signer: by() })],
  ['no signature in another case', () => ({ header: { alg: 'nOnE' }, signer: by() })],
  ['no algorithm', headed(() => ({ alg: undefined }))],
  ['a list of algorithms', headed(() => ({ alg: ['ES256'] }))],
  ['a secret', (p) => ({ header: { alg: 'HS256' }, signer: byHmac(JSON.stringify(p.jwk)) })],
  [
    'a secret that it shows',
    () => {
      const secret = randomBytes(32);
      const jwk = { kty: 'oct', k: secret.toString('base64url') };
      return { header: { alg: 'HS256', jwk }, signer: byHmac(secret) };
    },
  ],
  ['a symmetric key by an algorithm that is taken', headed(() => ({ jwk: { kty: 'oct', k: 'AAAA' } }))],
  ['an algorithm that is not taken', (p) => ({ header: { alg: 'ES256K' }, signer: byEc(p.pair) })],
  ['an algorithm of another kind of key', headed(() => ({ alg: 'RS256' }))],
  // 6 and 7
  ['a private key', headed((p) => ({ jwk: p.privateJwk }))],
  ['an empty private member', headed((p) => ({ jwk: { ...p.jwk, d: '' } }))],
  ['no key', headed(() => ({ jwk: undefined }))],
  ['the name of a key alone', headed((p) => ({ jwk: undefined, kid: p.thumbprint }))],
  ['the address of a key', headed(() => ({ jwk: undefined, jku: 'https://keys.example.com/' }))],
  ['a certificate', headed(() => ({ jwk: undefined, x5c: ['MIIB'] }))],
  ['a key as a text', headed((p) => ({ jwk: JSON.stringify(p.jwk) }))],
  ['a list of keys', headed((p) => ({ jwk: [p.jwk] }))],
  ['a key for encryption', headed((p) => ({ jwk: { ...p.jwk, use: 'enc' } }))],
  ['a key that must not verify', headed((p) => ({ jwk: { ...p.jwk, key_ops: ['deriveKey'] } }))],
  ['a key of another curve', headed(() => ({ jwk: other.publicKey.export({ format: 'jwk' }) }))],
  ['a point that is on no curve', headed((p) => ({ jwk: { ...p.jwk, x: p.jwk['y'] } }))],
  ['a critical extension', headed(() => ({ crit: ['exp'] }))],
  ['a payload that is not encoded', headed(() => ({ crit: ['b64'], b64: false }))],
  ['a signature of another key', () => ({ signer: byEc(stranger.pair) })],
  ['a signature in another form', (p) => ({ signer: byEc(p.pair, 'der') })],
  ['an empty signature', () => ({ signer: by() })],
  [
    'claims that were changed',
    sent((p) => {
      const [header, , signature] = p.proof().split('.');
      return [header, encode(p.claims), signature].join('.');
    }),
  ],
  // 8
  ['another method', claims('htm', () => 'GET')],
  ['the method in lower case', claims('htm', () => 'post')],
  ['no method', claims('htm', () => undefined)],
  ['a list of methods', claims('htm', () => ['POST'])],
  // 9
  ['another host', claims('htu', () => 'https://wrong.example.com/mcp')],
  ['a host that begins alike', claims('htu', () => 'https://desk.example.com.evil.example/mcp')],
  ['another scheme', claims('htu', () => RESOURCE.replace('https', 'http'))],
  ['another port', claims('htu', () => 'https://desk.example.com:8443/mcp')],
  ['another path', claims('htu', () => 'https://desk.example.com/other')],
  ['a path below', claims('htu', () => `${RESOURCE}/x`)],
  ['a slash behind', claims('htu', () => `${RESOURCE}/`)],
  ['a path in another case', claims('htu', () => 'https://desk.example.com/MCP')],
  ['an encoded slash', claims('htu', () => 'https://desk.example.com/%2Fmcp')],
  ['a host before another', claims('htu', () => 'https://desk.example.com@wrong.example.com/mcp')],
  ['a backslash', claims('htu', () => 'https://desk.example.com\\mcp')],
  ['a path alone', claims('htu', () => '/mcp')],
  ['a word for a URL', claims('htu', () => 'mcp')],
  ['no URL', claims('htu', () => undefined)],
  ['a list of URLs', claims('htu', () => [RESOURCE])],
  // 11
  ['no time', claims('iat', () => undefined)],
  ['a time that is past', claims('iat', () => now() - 310)],
  ['a time that is to come', claims('iat', () => now() + 310)],
  ['a time in milliseconds', claims('iat', () => Date.now())],
  ['a time as a text', claims('iat', () => String(now()))],
  ['no time as a value', claims('iat', () => null)],
  ['an end that is past', claims('exp', () => now() - 120)],
  ['a beginning that is to come', claims('nbf', () => now() + 120)],
  // 12
  ['no hash of the token', claims('ath', () => undefined)],
  ['the hash of another token', claims('ath', () => hash('sha256', 'another', 'base64url'))],
  [
    'a hash that is written otherwise',
    claims('ath', ({ subject }) => hash('sha256', subject.token ?? '', 'hex')),
  ],
  ['the token for its hash', claims('ath', ({ subject }) => subject.token)],
  // §4.2 and §11.1
  ['no id', claims('jti', () => undefined)],
  ['an empty id', claims('jti', () => '')],
  ['a number as an id', claims('jti', () => 7)],
  ['an id that is too long', claims('jti', () => 'j'.repeat(257))],
];

/** Proofs that are no good, for a good token; each error is that of RFC 9449 §7.1. */
export const ATTACKS_ON_PROOFS: readonly ProofAttack[] = [
  ...BAD.map(([name, make]) => [name, 'invalid_dpop_proof', make] as const),
  [
    'another key, which it shows',
    'invalid_token',
    () => ({ header: { jwk: stranger.jwk }, signer: byEc(stranger.pair) }),
  ],
  [
    'a key of 512 bits',
    'invalid_token',
    () => ({ header: { alg: 'RS256', jwk: weak.jwk }, signer: byRsa(weak.pair) }),
  ],
  [
    'a key of 1024 bits',
    'invalid_token',
    () => ({ header: { alg: 'RS256', jwk: short.jwk }, signer: byRsa(short.pair) }),
  ],
];
