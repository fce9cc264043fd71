import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { KeySet } from '../../../../../lib/server/auth/keys/key-set.js';
import { AuthUnavailableError, InvalidTokenError } from '../../../../../lib/server/auth/errors.js';
import { IssuerKey } from '../../../../support/authorization/issuer-key.js';
import { TestIssuer } from '../../../../support/authorization/issuer.js';
import { until } from '../../../../support/until.js';
import { CapturedLog } from '../../../support/captured-log.js';
import { passTime, stopClocks } from '../../../support/clocks.js';
import { JWKS, createKeySet, hintOf, outcomeOf } from '../../../support/key-set.js';

const UNKNOWN = { alg: 'ES256', kid: 'unknown' };

let issuer: TestIssuer;
let key: IssuerKey;
let keySet: KeySet;
let log: CapturedLog;

beforeEach(async () => {
  log = CapturedLog.begin();
  issuer = await TestIssuer.start();
  [key] = issuer.keys as [IssuerKey];
  keySet = createKeySet(issuer);
  stopClocks();
});

afterEach(async () => {
  jest.useRealTimers();
  log.release();
  await issuer.stop();
});

/** Makes keys stale and waits for the fetch that fails then. */
async function failToRefresh(): Promise<void> {
  const { length } = log.warnings;
  expect(await keySet.find(hintOf(key))).toHaveLength(1);
  await until(() => log.warnings.length > length, 'the failure');
}

describe('KeySet without an issuer', () => {
  it('cannot tell until keys were got (AUTH-12)', async () => {
    issuer.breakDown();
    await expect(keySet.find(hintOf(key))).rejects.toMatchObject({
      name: 'AuthUnavailableError',
      message: `the keys of "${issuer.jwksUrl}" cannot be fetched`,
      retryAfterSeconds: 1,
      httpStatus: 503,
      cause: { message: `"${issuer.jwksUrl}" responded with status 500` },
    });
  });

  it('tries again after half a second, then twice as late each time, up to five seconds, and says when (FAIR-07)', async () => {
    issuer.breakDown();
    for (const [passed, retryAfterSeconds, fetches] of [
      [0, 1, 1],
      [499, 1, 1],
      [1, 1, 2],
      [1000, 2, 3],
      [1999, 1, 3],
      [1, 4, 4],
      [4000, 5, 5],
      [5000, 5, 6],
      [4999, 1, 6],
      [1, 5, 7],
    ] as const) {
      passTime(passed);
      await expect(keySet.find(hintOf(key))).rejects.toMatchObject({ retryAfterSeconds });
      expect(issuer.fetches).toBe(fetches);
    }
  });

  it('begins with half a second again once the issuer was there (FAIR-07)', async () => {
    issuer.breakDown();
    for (const passed of [0, 500, 1000]) {
      passTime(passed);
      await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
    }
    issuer.recover();
    passTime(2000);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    issuer.breakDown();
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toMatchObject({ retryAfterSeconds: 1 });
    issuer.recover();
    passTime(500);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
  });

  it('takes a key that is new since the issuer went away within five seconds after it is back (FAIR-07)', async () => {
    await keySet.find(hintOf(key));
    issuer.breakDown();
    for (let minute = 0; minute < 10; minute += 1) {
      passTime(60_000);
      await expect(keySet.find(UNKNOWN)).rejects.toThrow(AuthUnavailableError);
    }
    await issuer.rotate();
    issuer.recover();
    const [fresh] = issuer.keys as [IssuerKey];
    passTime(5000);
    expect(await keySet.find(hintOf(fresh))).toHaveLength(1);
  });

  it('asks no more often than that, and not within a shorter cool-down (FAIR-07)', async () => {
    keySet = createKeySet(issuer, { jwks: { cooldownMs: 700 } });
    issuer.breakDown();
    for (const [passed, fetches] of [
      [0, 1],
      [500, 2],
      [700, 3],
      [699, 3],
      [1, 4],
    ] as const) {
      passTime(passed);
      await Promise.all(Array.from({ length: 20 }, () => outcomeOf(keySet.find(UNKNOWN))));
      expect(issuer.fetches).toBe(fetches);
    }
  });

  it('asks once for all who come while it does not answer (AUTH-12)', async () => {
    issuer.keyEndpoint.hang();
    keySet = createKeySet(issuer, { jwks: { timeoutMs: 50 } });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(keySet.find(hintOf(key)))));
    expect(outcomes.every((outcome) => outcome instanceof AuthUnavailableError)).toBe(true);
    expect(issuer.fetches).toBe(1);
  });

  it('goes on half a second after the issuer does, where one attempt failed (AUTH-12, FAIR-07)', async () => {
    issuer.breakDown();
    await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
    issuer.recover();
    await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
    passTime(500);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
  });

  it('goes on taking the keys that it knows (AUTH-12)', async () => {
    await keySet.find(hintOf(key));
    issuer.breakDown();
    passTime(JWKS.maxAgeMs);
    await failToRefresh();
    for (let hour = 1; hour <= 23; hour += 1) {
      passTime(3_600_000);
      await failToRefresh();
    }
    expect(issuer.fetches).toBe(25);
  });

  it('lets nobody wait for an issuer that did not answer before (AUTH-12)', async () => {
    keySet = createKeySet(issuer, { jwks: { timeoutMs: 1000 } });
    await keySet.find(hintOf(key));
    issuer.keyEndpoint.hang();
    passTime(JWKS.maxAgeMs);
    await failToRefresh();
    passTime(10 * JWKS.maxAgeMs);
    const found = keySet.find(hintOf(key));
    await until(() => issuer.fetches === 3, 'the fetch');
    expect(await found).toHaveLength(1);
    expect(log.warnings).toHaveLength(1);
  });

  it('stops taking the keys that it knows after a while (AUTH-12)', async () => {
    await keySet.find(hintOf(key));
    issuer.breakDown();
    passTime(JWKS.maxAgeMs);
    await failToRefresh();
    passTime(JWKS.maxStaleMs - 1);
    await failToRefresh();
    passTime(1);
    await expect(keySet.find(hintOf(key))).rejects.toMatchObject({ httpStatus: 503 });
    await expect(keySet.find(UNKNOWN)).rejects.toMatchObject({ httpStatus: 503 });
    issuer.recover();
    passTime(JWKS.cooldownMs);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
  });

  it('cannot tell whether a key exists that it does not know, which is no outage while it has keys (AUTH-12) (FAIR-09)', async () => {
    await keySet.find(hintOf(key));
    passTime(JWKS.cooldownMs);
    issuer.breakDown();
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(AuthUnavailableError);
    const limited = { retryAfterSeconds: 1, httpStatus: 429, cause: { message: expect.any(String) } };
    await expect(keySet.find(UNKNOWN)).rejects.toMatchObject(limited);
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
    issuer.recover();
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(InvalidTokenError);
    expect(issuer.fetches).toBe(3);
  });

  it('warns once per failure, with the place and the reason (AUTH-12) (AUTH-15)', async () => {
    const jwksUrl = `${issuer.jwksUrl}?secret=hush`;
    issuer.keyEndpoint.answer({ status: 503, body: 'hush' });
    keySet = createKeySet(issuer, { jwksUrl });
    for (const passed of [0, 1, JWKS.cooldownMs]) {
      passTime(passed);
      await expect(keySet.find(UNKNOWN)).rejects.toThrow(AuthUnavailableError);
    }
    const warning = `The keys of "${issuer.origin}/keys" could not be fetched: "${issuer.origin}/keys" responded with status 404`;
    expect(log.warnings).toEqual([`${warning}\nMcpAuth`, `${warning}\nMcpAuth`]);
  });

  it.each([
    ['an error', (broken: TestIssuer) => broken.keyEndpoint.breakDown(), 'responded with status 500'],
    ['no set', (broken: TestIssuer) => broken.keyEndpoint.breakDown(404), 'responded with status 404'],
    ['an end', (broken: TestIssuer) => broken.keyEndpoint.cutOff(), 'cannot be reached: '],
    ['garbage', (broken: TestIssuer) => broken.keyEndpoint.answer({ body: '<html>' }), 'JSON object'],
    ['a list', (broken: TestIssuer) => broken.keyEndpoint.answer({ body: [key.jwk] }), 'JSON object'],
    ['no keys', (broken: TestIssuer) => broken.keyEndpoint.answer({ body: {} }), 'has no "keys" array'],
    ['one key', (broken: TestIssuer) => broken.keyEndpoint.answer({ body: { keys: key.jwk } }), '"keys"'],
    ['an empty set', (broken: TestIssuer) => (broken.keys = []), 'contains no key for verifying signatures'],
    ['too much', (broken: TestIssuer) => broken.keyEndpoint.overflow(), 'sent more than '],
  ])('cannot tell where the issuer gives %s (AUTH-12) (SAFE-02)', async (_, breakIt, reason) => {
    breakIt(issuer);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
    expect(log.warnings).toHaveLength(1);
    expect(log.warnings[0]).toContain(reason);
  });

  it('takes no key of an issuer that shows none any more (AUTH-12)', async () => {
    await keySet.find(hintOf(key));
    issuer.keys = [];
    passTime(JWKS.cooldownMs);
    await expect(keySet.find(UNKNOWN)).rejects.toThrow(AuthUnavailableError);
    await expect(keySet.find(hintOf(key))).rejects.toThrow(AuthUnavailableError);
  });

  it('keeps the keys that it knows from an issuer that sends garbage (AUTH-12)', async () => {
    await keySet.find(hintOf(key));
    issuer.keyEndpoint.answer({ body: '{"keys":' });
    passTime(JWKS.maxAgeMs);
    await failToRefresh();
    expect(await keySet.find(hintOf(key))).toHaveLength(1);
  });
});
