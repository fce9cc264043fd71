import { by, byEc, byHmac, byRsa, encode, type Forger } from '../../../support/authorization/forger.js';
import type { Attack } from './attack.js';

const RSA = { alg: 'RS256', kid: 'issuer-rsa' };

/** A token that the attacker's own key has signed. */
const own = (f: Forger, header: { readonly [name: string]: unknown } = {}): string =>
  f.token({ header, signer: byEc(f.ownEc) });
const ownRsa = (f: Forger, header: object = {}): string =>
  f.token({ header: { ...RSA, ...header }, signer: byRsa(f.ownRsa) });
const ownJwk = (f: Forger) => f.ownEc.publicKey.export({ format: 'jwk' });
const der = (f: Forger): string =>
  f.ownRsa.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

export const ATTACKS_ON_KEYS: readonly Attack[] = [
  ["the attacker's key by our name", (f) => own(f)],
  ["the attacker's key without a name", (f) => own(f, { kid: undefined })],
  ["the attacker's RSA key by our name", (f) => ownRsa(f)],
  ["the attacker's RSA key without a name", (f) => ownRsa(f, { kid: undefined })],
  ['a key of 1024 bits', (f) => f.token({ header: { ...RSA, kid: 'issuer-weak' }, signer: byRsa(f.weak) })],
  [
    'a key for encryption',
    (f) => f.token({ header: { ...RSA, kid: 'issuer-encrypting' }, signer: byRsa(f.encrypting) }),
  ],
  [
    'a key for other operations',
    (f) => f.token({ header: { ...RSA, kid: 'issuer-wrapping' }, signer: byRsa(f.wrapping) }),
  ],
  ['"kid" unknown', (f) => own(f, { kid: 'another' })],
  [
    '"kid" a path to nothing',
    (f) => f.token({ header: { alg: 'HS256', kid: '../../../../dev/null' }, signer: byHmac('') }),
  ],
  [
    '"kid" a statement',
    (f) => f.token({ header: { kid: "' UNION SELECT 'key' --" }, signer: byHmac('key') }),
  ],
  ['"kid" a command', (f) => f.token({ header: { kid: '$(id)|id' } })],
  ['"kid" a URL of the attacker', (f) => own(f, { kid: f.canary.jwksUrl })],
  ['"kid" a prototype', (f) => own(f, { kid: '__proto__' })],
  ['"kid" a constructor', (f) => own(f, { kid: 'constructor' })],
  ['"kid" empty', (f) => f.token({ header: { kid: '' } })],
  ['"kid" null', (f) => f.token({ header: { kid: null } })],
  ['"kid" a number', (f) => f.token({ header: { kid: 0 } })],
  ['"kid" an array', (f) => f.token({ header: { kid: ['issuer-ec'] } })],
  ['"kid" an object', (f) => f.token({ header: { kid: { kid: 'issuer-ec' } } })],
  ['"kid" very long', (f) => f.token({ header: { kid: 'k'.repeat(7000) } })],
  ['"kid" with the end of a line', (f) => f.token({ header: { kid: 'issuer-ec\0\r\nX: y' } })],
  ['"kid" in another case', (f) => f.token({ header: { kid: 'ISSUER-EC' } })],
  ['"jku" of the attacker', (f) => own(f, { jku: f.canary.jwksUrl, kid: 'own' })],
  ['"jku" of the attacker, our "kid"', (f) => own(f, { jku: f.canary.jwksUrl })],
  ['"jwk" of the attacker', (f) => own(f, { jwk: ownJwk(f) })],
  ['"jwk" of the attacker, no "kid"', (f) => own(f, { jwk: ownJwk(f), kid: undefined })],
  [
    '"jwk" that is symmetric',
    (f) => f.token({ header: { alg: 'HS256', jwk: { kty: 'oct', k: encode('k') } }, signer: byHmac('k') }),
  ],
  ['"x5u" of the attacker', (f) => ownRsa(f, { x5u: `${f.canary.url}/chain.pem` })],
  ['"x5c" of the attacker', (f) => ownRsa(f, { x5c: [der(f)] })],
  [
    '"x5t" in the place of a "kid"',
    (f) => ownRsa(f, { kid: undefined, x5t: encode(by('x')(Buffer.alloc(0))) }),
  ],
  [
    '"iss" of the attacker, who has keys',
    (f) => f.token({ claims: { iss: f.canary.url }, signer: byEc(f.ownEc) }),
  ],
  ['"crit" with an unknown name', (f) => f.token({ header: { crit: ['exp'], exp: 4_000_000_000 } })],
  ['"crit" with a name that is not there', (f) => f.token({ header: { crit: ['missing'] } })],
  ['"crit" with a name of the standard', (f) => f.token({ header: { crit: ['alg'] } })],
  ['"crit" empty', (f) => f.token({ header: { crit: [] } })],
  ['"crit" a text', (f) => f.token({ header: { crit: 'exp' } })],
  ['"crit" null', (f) => f.token({ header: { crit: null } })],
  ['"b64" false', (f) => f.token({ header: { b64: false, crit: ['b64'] } })],
];
