import type { Attack } from './attack.js';

/** Good tokens in the wrong places, or in company. */
export const ATTACKS_ON_TRANSPORT: readonly Attack[] = [
  ['a token in the query', (f) => ({ query: `?access_token=${f.token()}` })],
  ['a header in the query', (f) => ({ query: `?Authorization=Bearer%20${f.token()}` })],
  ['a token in the body', (f) => ({ members: { access_token: f.token() } })],
  [
    'a header in the body',
    (f) => ({ members: { params: { _meta: { authorization: `Bearer ${f.token()}` } } } }),
  ],
  ['a token in a form', (f) => ({ form: `access_token=${f.token()}` })],
  ['a token in a cookie', (f) => ({ headers: { cookie: `access_token=${f.token()}` } })],
  ['a token in a header of its own', (f) => ({ headers: { 'x-access-token': f.token() } })],
  [
    'a token from a proxy',
    (f) => ({ headers: { 'x-forwarded-access-token': f.token(), 'x-forwarded-user': 'ada' } }),
  ],
  ['a token for a proxy', (f) => ({ headers: { 'proxy-authorization': `Bearer ${f.token()}` } })],
  ['a token as a session', (f) => ({ headers: { 'mcp-session-id': f.token() } })],
  ['a token of another scheme', (f) => ({ headers: { authorization: `Token ${f.token()}` } })],
  ['a token of DPoP', (f) => ({ headers: { authorization: `DPoP ${f.token()}` } })],
  [
    'a token as a password',
    (f) => ({ headers: { authorization: `Basic ${Buffer.from(`:${f.token()}`).toString('base64')}` } }),
  ],
  ['no scheme', (f) => ({ headers: { authorization: f.token() } })],
  ['the scheme twice', (f) => ({ headers: { authorization: `Bearer Bearer ${f.token()}` } })],
  ['two tokens', (f) => ({ headers: { authorization: `Bearer ${f.token()} ${f.token()}` } })],
  [
    'two tokens and a comma',
    (f) => ({ headers: { authorization: `Bearer ${f.token()}, Bearer ${f.token()}` } }),
  ],
  ['a comma behind', (f) => ({ headers: { authorization: `Bearer ${f.token()},` } })],
  ['a quoted token', (f) => ({ headers: { authorization: `Bearer "${f.token()}"` } })],
  ['a parameter', (f) => ({ headers: { authorization: `Bearer token=${f.token()}` } })],
  ['a tab for a space', (f) => ({ headers: { authorization: `Bearer\t${f.token()}` } })],
  ['percent-encoding', (f) => ({ headers: { authorization: `Bearer ${f.token().replaceAll('.', '%2E')}` } })],
  ['a space that is none', (f) => ({ lines: `Authorization: Bearer\u00a0${f.token()}\r\n` })],
  ['the header twice', (f) => ({ lines: `Authorization: Bearer ${f.token()}\r\n`.repeat(2) })],
  [
    'a bad header, then a good one',
    (f) => ({ lines: `Authorization: Bearer x\r\nauthorization: Bearer ${f.token()}\r\n` }),
  ],
  [
    'a good header, then a bad one',
    (f) => ({ lines: `Authorization: Bearer ${f.token()}\r\nAUTHORIZATION: Bearer x\r\n` }),
  ],
  [
    'an empty header, then a good one',
    (f) => ({ lines: `Authorization:\r\nAuthorization: Bearer ${f.token()}\r\n` }),
  ],
  [
    'a header that goes on in the next line',
    (f) => ({ lines: `Authorization: Bearer\r\n ${f.token()}\r\n` }),
  ],
  [
    'a token that goes on in the next line',
    (f) => ({ lines: `Authorization: Bearer ${f.token().replace('.', '.\r\n ')}\r\n` }),
  ],
  [
    'a token with the end of a line',
    (f) => ({ lines: `Authorization: Bearer ${f.token().replace('.', '.\n')}\r\n` }),
  ],
  ['a token with a null byte', (f) => ({ lines: `Authorization: Bearer ${f.token()}\0\r\n` })],
  ['a space before the colon', (f) => ({ lines: `Authorization : Bearer ${f.token()}\r\n` })],
  ['a name that looks alike', (f) => ({ lines: `Authorizatiоn: Bearer ${f.token()}\r\n` })],
  [
    'a token just short enough for Node',
    (f) => f.token({ claims: { pad: 'p'.repeat(11_500), aud: 'urn:other' } }),
  ],
  ['a token too long for Node', (f) => f.token({ claims: { pad: 'p'.repeat(20_000) } })],
  ['a very long word', () => 'x'.repeat(15_000)],
];
