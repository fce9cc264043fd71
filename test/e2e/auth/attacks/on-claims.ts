import { RESOURCE } from '../../../support/applications/protected-desk.js';
import type { Attack } from './attack.js';

const now = (): number => Math.floor(Date.now() / 1000);

/** Audiences that are not ours, however alike. */
const AUDIENCES: readonly (readonly [string, unknown])[] = [
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['a number', 443],
  ['true', true],
  ['no audience', []],
  ['an array within an array', [[RESOURCE]]],
  ['ours beside a number', [RESOURCE, 7]],
  ['ours beside an array', [RESOURCE, ['urn:other']]],
  ['an object', { 0: RESOURCE, length: 1 }],
  ['an object by our name', { [RESOURCE]: true }],
  ['several hundred others', Array.from({ length: 300 }, (_, index) => `urn:${index}`)],
  ['two in one text', `urn:other ${RESOURCE}`],
  ['a space before ours', ` ${RESOURCE}`],
  ['a space behind ours', `${RESOURCE} `],
  ['the end of a line behind ours', `${RESOURCE}\n`],
  ['a tab within ours', RESOURCE.replace('desk', 'de\tsk')],
  ['a null character behind ours', `${RESOURCE}\0`],
  ['a beginning of ours', RESOURCE.slice(0, -1)],
  ['our origin', 'https://desk.example.com'],
  ['more behind ours', `${RESOURCE}/admin`],
  ['two slashes behind ours', `${RESOURCE}//`],
  ['a query behind ours', `${RESOURCE}?tenant=2`],
  ['a fragment behind ours', `${RESOURCE}#admin`],
  ['our path in another case', 'https://desk.example.com/MCP'],
  ['our path, encoded', 'https://desk.example.com/%6dcp'],
  ['our path by a detour', 'https://desk.example.com/other/../mcp'],
  ['our path by a dot', 'https://desk.example.com/./mcp'],
  ['our path by an encoded detour', 'https://desk.example.com/other/%2e%2e/mcp'],
  ['our path behind a backslash', 'https://desk.example.com\\mcp'],
  ['another scheme', 'http://desk.example.com/mcp'],
  ['another port', 'https://desk.example.com:8443/mcp'],
  ['a name below ours', 'https://evil.desk.example.com/mcp'],
  ['a name that begins like ours', 'https://desk.example.com.evil.example/mcp'],
  ['ours for a user', 'https://desk.example.com@evil.example/mcp'],
  ['a user at ours', 'https://evil@desk.example.com/mcp'],
  ['our name with a dot behind it', 'https://desk.example.com./mcp'],
  ['our name, encoded', 'https://desk%2Eexample.com/mcp'],
  ['our name in wide letters', 'https://ｄesk.example.com/mcp'],
  ['our name with another dot', 'https://desk.example。com/mcp'],
  ['our name with a soft hyphen', 'https://de\u00adsk.example.com/mcp'],
  ['the client', 'desk-app'],
  ['any', '*'],
];

/** Other claims that are wrong, each in a token that is good otherwise. */
const CLAIMS: readonly (readonly [string, () => { readonly [name: string]: unknown }])[] = [
  ['"exp" missing', () => ({ exp: undefined })],
  ['"exp" null', () => ({ exp: null })],
  ['"exp" past', () => ({ exp: now() - 60 })],
  ['"exp" now', () => ({ exp: now() })],
  ['"exp" zero', () => ({ exp: 0 })],
  ['"exp" long before', () => ({ exp: -1e300 })],
  ['"exp" a text', () => ({ exp: String(now() + 300) })],
  ['"exp" a date', () => ({ exp: '2099-01-01T00:00:00Z' })],
  ['"exp" NaN', () => ({ exp: 'NaN' })],
  ['"exp" true', () => ({ exp: true })],
  ['"exp" an array', () => ({ exp: [now() + 300] })],
  ['"exp" an object', () => ({ exp: { valueOf: now() + 300 } })],
  ['"nbf" future', () => ({ nbf: now() + 300 })],
  ['"nbf" a text', () => ({ nbf: String(now() - 300) })],
  ['"nbf" an array', () => ({ nbf: [now() - 300] })],
  ['"sub" a number', () => ({ sub: 7 })],
  ['"sub" an array', () => ({ sub: ['ada'] })],
  ['an ID token', () => ({ nonce: 'n', at_hash: 'h', aud: 'desk-app' })],
  ['an ID token for us', () => ({ nonce: 'n', at_hash: 'h' })],
  ['a refresh token', () => ({ typ: 'Refresh' })],
  ['an ID token by its use', () => ({ token_use: 'id' })],
  ['a logout token', () => ({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })],
];

/** Types that no access token has. */
const TYPES: readonly unknown[] = [
  'JWT',
  'JWE',
  'jwe',
  'dpop+jwt',
  'DPoP+JWT',
  'secevent+jwt',
  'logout+jwt',
  'oauth-id-jag+jwt',
  'at+jwt ',
  'x/at+jwt',
  'application/application/at+jwt',
  '',
  null,
  7,
  ['at+jwt'],
];

const ISSUERS: readonly (readonly [string, (ours: string) => unknown])[] = [
  ['missing', () => undefined],
  ['null', () => null],
  ['empty', () => ''],
  ['an array', (ours) => [ours]],
  ['an object', (ours) => ({ toString: ours })],
  ['with a slash behind it', (ours) => `${ours}/`],
  ['a beginning of it', (ours) => ours.slice(0, -1)],
  ['with more behind it', (ours) => `${ours}0`],
  ['another tenant', (ours) => `${ours}/tenant-2`],
  ['in upper case', (ours) => ours.toUpperCase()],
  ['with a space', (ours) => `${ours} `],
  ['by another name of the host', (ours) => ours.replace('127.0.0.1', 'localhost')],
  ['a prototype', () => '__proto__'],
];

/** Tokens that the issuer has signed, and not for this. */
export const ATTACKS_ON_CLAIMS: readonly Attack[] = [
  ...AUDIENCES.map(([name, aud]): Attack => [`"aud" ${name}`, (f) => f.token({ claims: { aud } })]),
  ...ISSUERS.map(([name, of]): Attack => [
    `"iss" ${name}`,
    (f) => f.token({ claims: { iss: of(f.issuer.url) } }),
  ]),
  ...CLAIMS.map(([name, get]): Attack => [
    name,
    (f) => f.token({ header: { typ: undefined }, claims: get() }),
  ]),
  ...TYPES.map((typ): Attack => [`"typ" ${JSON.stringify(typ)}`, (f) => f.token({ header: { typ } })]),
  [
    '"exp" beyond all numbers',
    (f) => f.token({ claims: JSON.stringify({ ...f.claims, exp: 0 }).replace('"exp":0', '"exp":1e999') }),
  ],
  ['bound to a key', (f) => f.token({ claims: { cnf: { jkt: 'thumbprint' } } })],
  ['bound to a certificate', (f) => f.token({ claims: { cnf: { 'x5t#S256': 'thumbprint' } } })],
  [
    'more audiences than anybody has, ours among them',
    (f) => f.token({ claims: { aud: [...Array.from({ length: 256 }, () => 'urn:other'), RESOURCE] } }),
  ],
];
