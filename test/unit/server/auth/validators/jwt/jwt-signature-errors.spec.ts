import { describe, expect, it } from '@jest/globals';
import { compactVerify, importJWK, type VerifyOptions } from 'jose';
import { explainJoseError } from '../../../../../../lib/server/auth/validators/jwt/jwt.validator.js';
import { IssuerKey, signToken } from '../../../../../support/authorization/issuer-key.js';

/** Gives why a token does not count that another key signed. */
async function explainOf(options: VerifyOptions = {}): Promise<string> {
  const [signing, verifying] = await Promise.all([IssuerKey.create(), IssuerKey.create()]);
  const token = await signToken({ header: { alg: 'ES256' }, payload: {} }, signing.privateKey);
  return compactVerify(token, await importJWK(verifying.jwk), options).then(
    () => 'It counts',
    (error: unknown) => explainJoseError(error),
  );
}

describe('explainJoseError', () => {
  it('says that a signature is of no key of the issuer (AUTH-19)', async () => {
    expect(await explainOf()).toBe('its signature does not match any key from the issuer');
  });

  it('says what the library does of anything else (AUTH-19)', async () => {
    const options = { algorithms: ['RS256'] };
    expect(await explainOf(options)).toBe('"alg" (Algorithm) Header Parameter value not allowed');
  });

  it('cuts what is long, since it repeats the token (AUTH-15)', () => {
    expect(explainJoseError(new Error('x'.repeat(200)))).toBe('x'.repeat(200));
    expect(explainJoseError(new Error('x'.repeat(201)))).toBe(`${'x'.repeat(199)}…`);
  });

  it('does not repeat what is no error (AUTH-15)', () => {
    expect(explainJoseError('the-token-of-ada')).toBe('its signature cannot be verified');
  });
});
