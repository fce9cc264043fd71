import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { buildAuthentication } from '../../../../../lib/server/auth/validators/build-authentication.js';
import { TokenCache } from '../../../../../lib/server/auth/validators/token-cache.js';
import type { Outcome } from '../../../../../lib/server/auth/validators/validator.interface.js';
import type { Authentication } from '../../../../../lib/server/context/authentication.js';
import { completeClaims } from '../../../../../lib/core/oauth/access-token.js';
import { correctClock, passTime, stopClocks } from '../../../support/clocks.js';

const TTL_MS = 60_000;

let cache: TokenCache;
let validations: string[];

beforeEach(() => {
  stopClocks();
  cache = new TokenCache({ cacheSize: 3, cacheTtlMs: TTL_MS });
  validations = [];
});

afterEach(() => {
  jest.useRealTimers();
});

/** What a validator makes of a token that ends after some seconds. */
function buildOutcome(token: string, secondsLeft = 3600): Outcome {
  const claims = completeClaims({ sub: token, expiresAt: Date.now() / 1000 + secondsLeft });
  return { authentication: buildAuthentication({ method: 'jwt', claims, token }), isCached: false };
}

/** Asks the cache, behind which each validation is noted. */
function ask(token: string, secondsLeft?: number): Outcome | Promise<Outcome> {
  return cache.validateOnce(token, async () => {
    validations.push(token);
    return buildOutcome(token, secondsLeft);
  });
}

function authenticationOf(outcome: Outcome): Authentication | undefined {
  return 'authentication' in outcome ? outcome.authentication : undefined;
}

describe('TokenCache', () => {
  it('gives what it knows at once, and the same each time (AUTH-11)', async () => {
    const first = await ask('a');
    expect(first).toMatchObject({ isCached: false });
    const second = ask('a');
    expect(second).not.toBeInstanceOf(Promise);
    expect(second).toMatchObject({ isCached: true });
    expect(authenticationOf(await second)).toBe(authenticationOf(first));
    expect(validations).toEqual(['a']);
  });

  it('tells tokens apart (AUTH-11)', async () => {
    await ask('a');
    expect(await ask('b')).toMatchObject({ isCached: false, authentication: { claims: { sub: 'b' } } });
    expect(await ask('a')).toMatchObject({ isCached: true, authentication: { claims: { sub: 'a' } } });
  });

  it('validates once for all who ask at the same time (AUTH-11)', async () => {
    const outcomes = await Promise.all([ask('a'), ask('a'), ask('b'), ask('a')]);
    expect(validations).toEqual(['a', 'b']);
    expect(outcomes[0]).toBe(outcomes[3]);
  });

  it('forgets a token after its time, by the clock of the machine (AUTH-11)', async () => {
    await ask('a');
    passTime(TTL_MS - 1);
    expect(ask('a')).toMatchObject({ isCached: true });
    passTime(1);
    expect(await ask('a')).toMatchObject({ isCached: false });
    correctClock(-TTL_MS * 60);
    passTime(TTL_MS);
    expect(await ask('a')).toMatchObject({ isCached: false });
    expect(validations).toHaveLength(3);
  });

  it('does not make an answer younger than its question (AUTH-11)', async () => {
    const answered = cache.validateOnce('a', async () => {
      passTime(TTL_MS);
      return buildOutcome('a');
    });
    await answered;
    expect(await ask('a')).toMatchObject({ isCached: false });
  });

  it('never gives a token beyond its end (AUTH-05) (AUTH-11)', async () => {
    await ask('a', 10);
    passTime(9_999);
    expect(ask('a', 10)).toMatchObject({ isCached: true });
    passTime(1);
    expect(ask('a', 10)).toBeInstanceOf(Promise);
    expect(validations).toEqual(['a', 'a']);
  });

  it('sees that a token has ended where the clock of the day was set (AUTH-05) (AUTH-11)', async () => {
    await ask('a', 10);
    correctClock(10_000);
    expect(ask('a')).toBeInstanceOf(Promise);
  });

  it.each([0, -1, -4])(
    'does not keep a token that ended %d seconds ago, which a tolerance let pass (AUTH-11)',
    async (left) => {
      await ask('a', left);
      await ask('a', left);
      expect(validations).toEqual(['a', 'a']);
    },
  );

  it('keeps a token that does not say when it ends (AUTH-11)', async () => {
    const authentication = buildAuthentication({
      method: 'introspection',
      claims: completeClaims({ sub: 'a' }),
      token: 'a',
    });
    await cache.validateOnce('a', async () => ({ authentication, isCached: false }));
    expect(ask('a')).toEqual({ authentication, isCached: true });
  });

  it('keeps no failure, and gives it to all who waited (AUTH-11)', async () => {
    const fail = async (): Promise<Outcome> => {
      validations.push('failed');
      throw new Error('no good');
    };
    const asked = [cache.validateOnce('a', fail), cache.validateOnce('a', fail)];
    for (const each of asked) await expect(each).rejects.toThrow('no good');
    expect(validations).toEqual(['failed']);
    expect(await ask('a')).toMatchObject({ isCached: false });
  });

  it('keeps no failure that is thrown at once (AUTH-11)', async () => {
    const fail = () => {
      throw new Error('no good');
    };
    expect(() => cache.validateOnce('a', fail)).toThrow('no good');
    expect(await ask('a')).toMatchObject({ isCached: false });
  });

  it('does not keep what is not recognized (AUTH-11)', async () => {
    const unknown = { unrecognized: 'it is another' };
    expect(cache.validateOnce('a', () => unknown)).toBe(unknown);
    expect(await cache.validateOnce('b', async () => unknown)).toBe(unknown);
    await Promise.all([ask('a'), ask('b')]);
    expect(validations).toEqual(['a', 'b']);
  });

  it('keeps what is known at once (AUTH-11)', () => {
    expect(cache.validateOnce('a', () => buildOutcome('a'))).toMatchObject({ isCached: false });
    expect(ask('a')).toMatchObject({ isCached: true });
  });

  it('keeps as many tokens as it may, those that were asked for last (AUTH-11)', async () => {
    for (const token of ['a', 'b', 'c', 'a', 'd']) await ask(token);
    expect(ask('a')).toMatchObject({ isCached: true });
    expect(ask('c')).toMatchObject({ isCached: true });
    await ask('b');
    expect(validations).toEqual(['a', 'b', 'c', 'd', 'b']);
  });

  it('can be cleared (AUTH-11)', async () => {
    await ask('a');
    cache.clear();
    expect(await ask('a')).toMatchObject({ isCached: false });
    expect(validations).toEqual(['a', 'a']);
  });

  it('does not keep what was asked before it was cleared (AUTH-11)', async () => {
    const before = ask('a');
    cache.clear();
    await before;
    const after = ask('a');
    expect(after).toBeInstanceOf(Promise);
    expect(authenticationOf(await ask('a'))).toBe(authenticationOf(await after));
    expect(validations).toEqual(['a', 'a']);
  });

  it('does not wait for what was asked before it was cleared (AUTH-11)', async () => {
    const before = ask('a');
    cache.clear();
    const after = ask('a');
    expect(authenticationOf(await before)).not.toBe(authenticationOf(await after));
    expect(authenticationOf(await ask('a'))).toBe(authenticationOf(await after));
    expect(validations).toEqual(['a', 'a']);
  });

  it('is off where tokens are kept for no time (AUTH-11)', async () => {
    cache = new TokenCache({ cacheSize: 3, cacheTtlMs: 0 });
    await Promise.all([ask('a'), ask('a')]);
    expect(await ask('a')).toMatchObject({ isCached: false });
    expect(validations).toEqual(['a', 'a', 'a']);
    cache.clear();
  });
});
