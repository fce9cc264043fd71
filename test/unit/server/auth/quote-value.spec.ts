import { describe, expect, it } from '@jest/globals';
import { quoteChoices, quoteUrl, quoteValue } from '../../../../lib/server/auth/quote-value.js';

describe('quoteValue', () => {
  it.each([
    ['desk', '"desk"'],
    ['a "b"\r\n[Nest] forged line', String.raw`"a \"b\"\r\n[Nest] forged line"`],
    [5, '5'],
    [null, 'null'],
    [['a', 1], '["a",1]'],
    [{ a: { b: [1] }, c: null }, '{"a":{"b":[1]},"c":null}'],
    [{ a: { b: [[1], {}] } }, '{"a":{"b":["…","…"]}}'],
    [undefined, 'absent'],
  ])('writes %j on one line (AUTH-19)', (value, text) => {
    expect(quoteValue(value)).toBe(text);
  });

  it('cuts what is long (AUTH-19)', () => {
    expect(quoteValue('x'.repeat(198))).toHaveLength(200);
    expect(quoteValue('x'.repeat(199))).toBe(`"${'x'.repeat(198)}…`);
    expect(quoteValue(Array.from({ length: 5000 }, () => 'a'))).toHaveLength(200);
  });
});

it.each(['[', '{"":'])('writes what is nested however deep: %s (SAFE-02)', (open) => {
  const close = open === '[' ? ']' : '}';
  const nested = JSON.parse(
    `${open.repeat(12_000)}${open === '[' ? '' : '1'}${close.repeat(12_000)}`,
  ) as unknown;
  expect(quoteValue(nested)).toContain('…');
});

describe('quoteChoices', () => {
  it('names what could have been there (AUTH-19)', () => {
    expect(quoteChoices(['a', 'b'])).toBe('"a" or "b"');
    expect(quoteChoices(['a'])).toBe('"a"');
  });
});

describe('quoteUrl', () => {
  it.each([
    ['https://login.example.com/keys?code=hush#hush', '"https://login.example.com/keys"'],
    ['https://ada:hush@login.example.com:8443/keys', '"https://login.example.com:8443/keys"'],
    ['my issuer', '"my issuer"'],
  ])('leaves out of %s what may be a secret (AUTH-15)', (url, quoted) => {
    expect(quoteUrl(url)).toBe(quoted);
  });

  it.each(['http://[::1]:3000', 'https://login.example.com/', 'https://login.example.com/realms/desk'])(
    'writes %s as it was configured, with or without a slash (AUTH-19)',
    (url) => {
      expect(quoteUrl(url)).toBe(`"${url}"`);
    },
  );
});
