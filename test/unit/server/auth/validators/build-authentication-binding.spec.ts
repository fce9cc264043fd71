import { describe, expect, it } from '@jest/globals';
import {
  BoundTokenError,
  findKeyThumbprint,
} from '../../../../../lib/server/auth/validators/build-authentication.js';

const JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I';
const CERTIFICATE = 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2';

function refuse(cnf: unknown, takesDpop: boolean): BoundTokenError {
  try {
    findKeyThumbprint(cnf, takesDpop);
  } catch (error) {
    if (error instanceof BoundTokenError) return error;
  }
  throw new Error('The token is not refused');
}

describe('What a token is bound to (RFC 9449 §6, RFC 8705 §3)', () => {
  it('is the key that it names, where proofs are checked (XTN-03)', () => {
    expect(findKeyThumbprint({ jkt: JKT }, true)).toBe(JKT);
    expect(findKeyThumbprint({ jkt: JKT, kid: 'client' }, true)).toBe(JKT);
  });

  it.each([true, false])('is nothing for a bearer token (XTN-03)', (takesDpop) => {
    expect(findKeyThumbprint(undefined, takesDpop)).toBeUndefined();
  });

  it('is refused where nobody asks for its proof (SAFE-02) (XTN-03)', () => {
    const { reason, description } = refuse({ jkt: JKT }, false);
    expect(reason).toContain('"auth.dpop"');
    expect(description).toContain('bound to a key with DPoP, which this server does not accept');
  });

  it.each([
    [{ 'x5t#S256': CERTIFICATE }, true],
    [{ 'x5t#S256': CERTIFICATE }, false],
    [{ 'x5t#S256': CERTIFICATE, jkt: JKT }, true],
  ])('is refused by its name where it is a certificate: %j (XTN-03)', (cnf, takesDpop) => {
    const { reason, description } = refuse(cnf, takesDpop);
    expect(reason).toContain('"x5t#S256"');
    expect(description).toMatch(/certificate \(x5t#S256\).*unbound token$/);
  });

  it.each([
    null,
    {},
    [],
    'x',
    7,
    { kid: 'client' },
    { jwk: {} },
    { jkt: 7 },
    { jkt: '' },
    { jkt: `${JKT}=` },
    { jkt: 'x' },
  ])('is refused where it is nothing known: %j (SAFE-02) (XTN-03)', (cnf) => {
    for (const takesDpop of [true, false]) {
      expect(refuse(cnf, takesDpop).description).toContain(
        'a type of binding that this server does not support',
      );
    }
  });

  it('is told in words that a challenge may have (RFC 6750 §3)', () => {
    for (const cnf of [{ jkt: JKT }, {}, { 'x5t#S256': CERTIFICATE }]) {
      expect(refuse(cnf, false).description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });
});
