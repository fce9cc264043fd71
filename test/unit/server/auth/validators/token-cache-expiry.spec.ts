import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TokenCache } from '../../../../../lib/server/auth/validators/token-cache.js';
import type {
  ReusableValidation,
  Outcome,
} from '../../../../../lib/server/auth/validators/validator.interface.js';
import { buildCaller } from '../../../support/caller.js';
import { correctClock, passTime, stopClocks } from '../../../support/clocks.js';

describe('A token that a cache keeps', () => {
  let cache: TokenCache;

  beforeEach(() => {
    stopClocks();
    cache = new TokenCache({ cacheSize: 2, cacheTtlMs: 60_000 });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  function ask(token: string, expiresAt?: number): Outcome | Promise<Outcome> {
    const authentication = buildCaller({ sub: token, ...(expiresAt !== undefined && { expiresAt }) });
    return cache.validateOnce(token, async () => ({ authentication, isCached: false }));
  }

  /** Has the cache keep a token, and gives what it says of it then. */
  async function keep(token: string, expiresAt?: number): Promise<ReusableValidation> {
    expect(await ask(token, expiresAt)).not.toHaveProperty('isCurrent');
    const known = ask(token);
    if (known instanceof Promise || !('isCurrent' in known)) throw new Error('It is not kept');
    return known;
  }

  it('is the same each time (AUTH-11)', async () => {
    expect(await keep('a')).toBe(ask('a'));
  });

  it('counts until its time is over (AUTH-11)', async () => {
    const known = await keep('a');
    passTime(59_999);
    expect(known.isCurrent()).toBe(true);
    passTime(1);
    expect(known.isCurrent()).toBe(false);
    expect(ask('a')).toBeInstanceOf(Promise);
  });

  it('counts until the token ends, also where the clock of the day is set (AUTH-05) (AUTH-11)', async () => {
    const known = await keep('a', Date.now() / 1000 + 30);
    correctClock(29_999);
    expect(known.isCurrent()).toBe(true);
    correctClock(1);
    expect(known.isCurrent()).toBe(false);
  });

  it('counts no more once the cache was cleared, also where it was pushed out before (AUTH-11)', async () => {
    const [first, second, third] = [await keep('a'), await keep('b'), await keep('c')];
    expect(ask('a')).toBeInstanceOf(Promise);
    cache.clear();
    expect([first, second, third].map((known) => known.isCurrent())).toEqual([false, false, false]);
  });

  it('is none where tokens are kept for no time (AUTH-11)', async () => {
    cache = new TokenCache({ cacheSize: 2, cacheTtlMs: 0 });
    await expect(keep('a')).rejects.toThrow('It is not kept');
  });
});
