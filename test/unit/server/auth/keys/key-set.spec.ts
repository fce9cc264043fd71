import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AuthUnavailableError, InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { IssuerKey } from '../../../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { until } from '../../../../support/until.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { correctClock, passTime, stopClocks } from '../../../support/clocks.js';
import { JWKS, createKeySet, hintOf, outcomeOf } from '../../../support/key-set.js';

const UNKNOWN = { alg: 'ES256', kid: 'unknown' };

let issuer: TestIssuer;
let key: IssuerKey;
let log: CapturedLog;

beforeEach(async () => {
  log = CapturedLog.begin();
  issuer = await TestIssuer.start();
  [key] = issuer.keys as [IssuerKey];
  stopClocks();
});

afterEach(async () => {
  jest.useRealTimers();
  log.release();
  await issuer.stop();
});

describe('KeySet', () => {
  it('fetches keys when one is needed, and then no more (AUTH-04)', async () => {
    const keySet = createKeySet(issuer);
    expect(issuer.fetches).toBe(0);
    const [found] = await keySet.find(hintOf(key));
    expect(found).toMatchObject({ type: 'public', algorithm: { name: 'ECDSA' } });
    expect(await keySet.find(hintOf(key))).toEqual([found]);
    expect(issuer.fetches).toBe(1);
  });

  it('fetches keys before one is needed where it is told to, and not again for the first token (AUTH-04)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.prefetch();
    expect(issuer.fetches).toBe(1);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    expect(issuer.fetches).toBe(1);
  });

  it('makes nobody wait for the cool-down of a fetch that failed before it was needed (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    issuer.breakDown();
    await keySet.prefetch();
    expect(log.warnings).toHaveLength(1);
    issuer.recover();
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
  });

  it('lets whoever needs a key join the fetch that has begun before (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    const [, found] = await Promise.all([keySet.prefetch(), keySet.find(hintOf(key))]);
    expect([found.length, issuer.fetches]).toEqual([1, 1]);
  });

  it('fetches once for all who ask at the same time (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    const found = await Promise.all(Array.from({ length: 50 }, () => keySet.find(hintOf(key))));
    expect(found.every(({ length }) => length === 1)).toBe(true);
    expect(issuer.fetches).toBe(1);
  });

  it('takes a rotated key without a restart (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    passTime(JWKS.cooldownMs);
    const fresh = await issuer.rotate();
    expect(await keySet.find(hintOf(fresh))).toHaveLength(1);
    expect(issuer.fetches).toBe(2);
  });

  it('does not take a key that is gone, once it knows (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    passTime(JWKS.cooldownMs);
    await keySet.find(hintOf(await issuer.rotate()));
    await expect(keySet.find(hintOf(key))).rejects.toThrow(InvalidTokenError);
  });

  it('asks for an unknown key once per cool-down (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    for (const fetches of [1, 2, 3]) {
      for (const passed of [0, 1, JWKS.cooldownMs - 2]) {
        passTime(passed);
        expect(await outcomeOf(keySet.find(UNKNOWN))).toBeInstanceOf(Error);
        expect(issuer.fetches).toBe(fetches);
      }
      passTime(1);
    }
  });

  it('cannot tell of a key that may be newer than the keys that it has, and says when it can (AUTH-12, FAIR-07) (FAIR-09)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    const fresh = await issuer.rotate();
    for (const [passed, retryAfterSeconds] of [
      [0, 30],
      [1500, 29],
      [28_499, 1],
    ] as const) {
      passTime(passed);
      await expect(keySet.find(hintOf(fresh))).rejects.toMatchObject({
        name: 'AuthUnavailableError',
        message: `"kid" is "${fresh.kid}", expected a key from "${issuer.jwksUrl}" for "ES256": the keys can be fetched again in ${retryAfterSeconds} s`,
        retryAfterSeconds,
        httpStatus: 429,
      });
    }
    passTime(1);
    expect(await keySet.find(hintOf(fresh))).toHaveLength(1);
    expect(issuer.fetches).toBe(2);
  });

  it('refuses a key that the issuer did not have when it was asked for it (FAIR-07)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    const late = { alg: 'ES256', kid: 'late' };
    await expect(keySet.find(late)).rejects.toThrow(AuthUnavailableError);
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    // Both were asked for before the answer came; of another nobody can tell yet.
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find(late)).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find({ alg: 'ES256', kid: 'later' })).rejects.toThrow(AuthUnavailableError);
    expect(issuer.fetches).toBe(2);
  });

  it('refuses a key that its first answer does not have, and goes on to (FAIR-07)', async () => {
    const keySet = createKeySet(issuer);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    expect(issuer.fetches).toBe(1);
  });

  it('keeps few of the names that are made up, and none that is long (FAIR-02)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    const names = ['k'.repeat(300), ...Array.from({ length: 1001 }, (_, index) => `name ${index}`)];
    const find = (kid = '') => outcomeOf(keySet.find({ alg: 'ES256', kid }));
    for (const kid of names) await find(kid);
    passTime(JWKS.cooldownMs);
    await find('one more');
    expect(await find(names[1])).toBeInstanceOf(InvalidTokenError);
    expect(await find(names[1000])).toBeInstanceOf(InvalidTokenError);
    // Of these it is as if nobody had asked.
    expect(await find(names[0])).toBeInstanceOf(AuthUnavailableError);
    expect(await find(names[1001])).toBeInstanceOf(AuthUnavailableError);
  });

  it('refuses a key that the issuer has given up (FAIR-07)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    await issuer.rotate();
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(InvalidTokenError);
  });

  it('refuses a key that it knows for another algorithm (FAIR-07)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    await expect(keySet.find({ ...hintOf(key), alg: 'RS256' })).rejects.toThrow(InvalidTokenError);
    await expect(keySet.find({ alg: 'RS256' })).rejects.toThrow(AuthUnavailableError);
  });

  it('says what differs for an unknown key (AUTH-19)', async () => {
    await expect(createKeySet(issuer).find(UNKNOWN)).rejects.toMatchObject({
      reason: `"kid" is "unknown", expected a key from "${issuer.jwksUrl}" for "ES256"`,
    });
    await expect(createKeySet(issuer).find({ alg: 'RS256' })).rejects.toMatchObject({
      reason: `"kid" is absent, expected a key from "${issuer.jwksUrl}" for "RS256"`,
    });
  });

  it('fetches once, however many keys tokens name (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    passTime(JWKS.cooldownMs);
    const names = Array.from({ length: 40_000 }, (_, index) => `${index}`);
    const outcomes = await Promise.all(names.map((kid) => outcomeOf(keySet.find({ alg: 'ES256', kid }))));
    expect(outcomes.every((outcome) => outcome instanceof InvalidTokenError)).toBe(true);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    expect(issuer.fetches).toBe(2);
  });

  it('fetches stale keys anew while they go on counting (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    const fresh = await issuer.rotate();
    passTime(JWKS.maxAgeMs - 1);
    await keySet.find(hintOf(key));
    expect(issuer.fetches).toBe(1);
    passTime(1);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    await until(() => issuer.fetches === 2, 'the second fetch');
    expect(await keySet.find(hintOf(fresh))).toHaveLength(1);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(InvalidTokenError);
    expect(issuer.fetches).toBe(2);
  });

  it('lets nobody wait for the fetch that replaces stale keys (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    passTime(JWKS.maxAgeMs);
    issuer.keyEndpoint.hang();
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    await until(() => issuer.fetches === 2, 'the second fetch');
  });

  it('looks before it takes a key that nobody asked for in a long time (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    await issuer.rotate();
    passTime(2 * JWKS.maxAgeMs);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(InvalidTokenError);
    expect(issuer.fetches).toBe(2);
  });

  it('looks before it takes a key that is in doubt (AUTH-11)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    await issuer.rotate();
    passTime(JWKS.cooldownMs);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    keySet.invalidate();
    await expect(keySet.find(hintOf(key))).rejects.toThrow(InvalidTokenError);
    expect(issuer.fetches).toBe(2);
  });

  it('keeps to the cool-down in doubt too (AUTH-11) (AUTH-12)', async () => {
    const keySet = createKeySet(issuer);
    await keySet.find(hintOf(key));
    keySet.invalidate();
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    expect(issuer.fetches).toBe(1);
  });

  it.each([-10, -0.01, 0.01, 10])(
    'is not moved by a clock that is set by %d days (AUTH-12)',
    async (days) => {
      const keySet = createKeySet(issuer);
      await keySet.find(hintOf(key));
      correctClock(days * 86_400_000);
      expect(await keySet.find(hintOf(key))).toHaveLength(1);
      await expect(keySet.find(UNKNOWN)).rejects.toMatchObject({ retryAfterSeconds: 30 });
      expect(issuer.fetches).toBe(1);
      passTime(JWKS.cooldownMs);
      await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
      expect(issuer.fetches).toBe(2);
    },
  );

  it('lets keys count until they can be fetched again, whatever is configured (AUTH-12)', async () => {
    const keySet = createKeySet(issuer, { jwks: { maxAgeMs: 10, maxStaleMs: 0 } });
    await keySet.find(hintOf(key));
    passTime(JWKS.cooldownMs - 1);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    issuer.breakDown();
    passTime(1);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
  });

  it('shows each fetch to who traces them (TRACE-03)', async () => {
    const traced: string[] = [];
    const trace = {
      runFetch: async <Result>(url: string, act: () => Promise<Result>) => {
        traced.push(`begins ${url}`);
        const result = await act();
        traced.push(`ends ${url}`);
        return result;
      },
    };
    const metadataUrl = `${issuer.origin}/.well-known/oauth-authorization-server`;
    await createKeySet(issuer, { trace, jwksUrl: undefined }).find(hintOf(key));
    expect(traced).toEqual([metadataUrl, issuer.jwksUrl].flatMap((url) => [`begins ${url}`, `ends ${url}`]));
  });
});
