import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthUnavailableError, InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import type { IssuerKey } from '../../../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { JWKS, createKeySet, hintOf } from '../../../support/key-set.js';

const UNKNOWN = { alg: 'ES256', kid: 'unknown' };

describe('MissingKeys', () => {
  let issuer: TestIssuer;
  let key: IssuerKey;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
    [key] = issuer.keys as [IssuerKey];
    stopClocks();
  });

  afterEach(async () => {
    jest.useRealTimers();
    await issuer.stop();
  });

  it('takes a key for missing only until the next answer, which nobody asked for it (FAIR-07) (FAIR-02)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    const late = { alg: 'ES256', kid: 'late' };
    await expect(keySet.find(late)).rejects.toThrow(AuthUnavailableError);
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find(late)).rejects.toThrow(InvalidTokenError);
    // What was noted then is part of the next answer, and of no later one.
    for (const kid of ['other', 'another']) {
      passTime(JWKS.cooldownMs);
      await expect(keySet.find({ alg: 'ES256', kid })).rejects.toThrow(InvalidTokenError);
    }
    await expect(keySet.find(late)).rejects.toMatchObject({ name: 'AuthUnavailableError', httpStatus: 429 });
    passTime(JWKS.cooldownMs);
    const [{ jwk }] = issuer.keys as [IssuerKey];
    issuer.keyEndpoint.answer({ body: { keys: [jwk, { ...jwk, kid: late.kid }] } });
    expect(await keySet.find(late)).toHaveLength(1);
  });
});
