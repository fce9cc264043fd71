import { byEc, encode, type Forger } from '../../../support/authorization/forger.js';
import type { Attack } from './attack.js';

const flattened = (f: Forger): string => {
  const [header, payload, signature] = f.split();
  return JSON.stringify({ protected: header, payload, signature });
};

/** The claims as JSON, open at their end. */
const beginning = (claims: object): string => JSON.stringify(claims).slice(0, -1);

export const ATTACKS_ON_SHAPES: readonly Attack[] = [
  ['a JWE', () => [{ alg: 'dir', enc: 'A256GCM' }, 'key', 'iv', 'text', 'tag'].map(encode).join('.')],
  ['a JWE of our parts', (f) => `${f.swap({ header: encode({ alg: 'RSA-OAEP', enc: 'A256GCM' }) })}.iv.tag`],
  ['the header of a JWE', (f) => f.swap({ header: encode({ alg: 'dir', enc: 'A256GCM', zip: 'DEF' }) })],
  ['JSON in the place of a token', (f) => ({ lines: `Authorization: Bearer ${flattened(f)}\r\n` })],
  ['JSON, encoded', (f) => encode(flattened(f))],
  ['a token within a token', (f) => f.token({ claims: f.token() })],
  ['a token, encoded', (f) => encode(f.token())],
  ['one part', (f) => f.split()[1]],
  ['two parts', (f) => f.split().slice(0, 2).join('.')],
  ['four parts', (f) => `${f.token()}.${encode('more')}`],
  ['dots alone', () => '..'],
  ['many dots', () => '.'.repeat(5000)],
  ['a dot before', (f) => `.${f.token()}`],
  ['a dot behind', (f) => `${f.token()}.`],
  ['an empty header', (f) => f.swap({ header: '' })],
  ['an empty payload', (f) => f.token({ claims: '' })],
  [
    'padded parts',
    (f) =>
      f
        .split()
        .map((part) => `${part}=`)
        .join('.'),
  ],
  ['the other alphabet of base64', (f) => `${f.token()}+/`],
  ['a header that is no JSON', (f) => f.token({ header: '{"alg":"ES256",' })],
  ['a header that is an array', (f) => f.token({ header: '[{"alg":"ES256"}]' })],
  ['a header that is a text', (f) => f.token({ header: '"ES256"' })],
  ['a header that is null', (f) => f.token({ header: 'null' })],
  ['a payload that is no JSON', (f) => f.token({ claims: `${JSON.stringify(f.claims)}}` })],
  ['a payload that is an array', (f) => f.token({ claims: JSON.stringify([f.claims]) })],
  ['a payload that is null', (f) => f.token({ claims: 'null' })],
  ['a payload with a byte order mark', (f) => f.token({ claims: `\uFEFF${JSON.stringify(f.claims)}` })],
  [
    'a payload that is not UTF-8',
    (f) =>
      f.token({
        claims: Buffer.concat([
          Buffer.from(`${beginning(f.claims)},"name":"`),
          Buffer.from('c328227d', 'hex'),
        ]),
      }),
  ],
  ['a payload in UTF-16', (f) => f.token({ claims: Buffer.from(JSON.stringify(f.claims), 'utf16le') })],
  ['a payload without end', (f) => f.token({ claims: '{"a":'.repeat(1500) })],
  ['deep nesting', (f) => f.token({ claims: `{"deep":${'['.repeat(2500)}${']'.repeat(2500)}}` })],
  ['claims of a prototype', (f) => f.token({ claims: `{"__proto__":${JSON.stringify(f.claims)}}` })],
  [
    '"exp" of a prototype',
    (f) => f.token({ claims: `${beginning({ ...f.claims, exp: undefined })},"__proto__":{"exp":9e9}}` }),
  ],
  ['"aud" twice, ours first', (f) => f.token({ claims: `${beginning(f.claims)},"aud":"urn:other"}` })],
  ['"iss" twice, ours first', (f) => f.token({ claims: `${beginning(f.claims)},"iss":"${f.canary.url}"}` })],
  [
    '"iss" twice, ours last',
    (f) =>
      f.token({
        claims: `{"iss":"${f.canary.url}",${JSON.stringify(f.claims).slice(1)}`,
        signer: byEc(f.ownEc),
      }),
  ],
];
