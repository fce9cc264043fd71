import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { TokenCache } from '../../../../lib/auth/validators/token-cache.js';
import { ValidatorChain } from '../../../../lib/auth/validators/validator-chain.js';
import type { Known } from '../../../../lib/auth/validators/validator.interface.js';
import type { AuthOptions } from '../../../../lib/settings/auth-options.interface.js';
import { AUDIENCE, TestIssuer } from '../../../support/issuer.js';
import { buildCaller } from '../../support/caller.js';
import { correctClock, passTime, stopClocks } from '../../support/clocks.js';
import { buildSettings } from '../../support/settings.js';

const FIXED = 'a-fixed-token-of-the-desk';

describe('What a cache recalls of a token', () => {
  let cache: TokenCache;

  beforeEach(() => {
    stopClocks();
    cache = new TokenCache({ cacheSize: 2, cacheTtlMs: 60_000 });
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Has the cache keep a token, and gives what it recalls of it. */
  async function keep(token: string, expiresAt?: number): Promise<Known> {
    const authentication = buildCaller({ sub: token, ...(expiresAt !== undefined && { expiresAt }) });
    await cache.validateOnce(token, async () => ({ authentication, isCached: false }));
    const known = cache.recall(token);
    if (known === undefined) throw new Error('It is not kept');
    return known;
  }

  it('is nothing where it was not validated (AUTH-11)', async () => {
    expect(cache.recall('a')).toBeUndefined();
    await keep('a');
    expect(cache.recall('b')).toBeUndefined();
  });

  it('counts until its time is over (AUTH-11)', async () => {
    const known = await keep('a');
    passTime(59_999);
    expect(known.isCurrent()).toBe(true);
    passTime(1);
    expect(known.isCurrent()).toBe(false);
    expect(cache.recall('a')).toBeUndefined();
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
    expect(cache.recall('a')).toBeUndefined();
    cache.clear();
    expect([first, second, third].map((known) => known.isCurrent())).toEqual([false, false, false]);
  });

  it('is nothing where tokens are kept for no time (AUTH-11)', async () => {
    cache = new TokenCache({ cacheSize: 2, cacheTtlMs: 0 });
    await expect(keep('a')).rejects.toThrow('It is not kept');
  });
});

describe('What a chain recalls of a token', () => {
  let issuer: TestIssuer;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
  });

  afterEach(() => issuer.stop());

  async function createChain(auth: AuthOptions): Promise<ValidatorChain> {
    const module = await Test.createTestingModule({}).compile();
    const settings = buildSettings({
      auth: { resourceUri: AUDIENCE, authorizationServers: [issuer.url], ...auth },
    });
    const chain = new ValidatorChain(module.get(ModuleRef, { strict: true }), settings);
    await chain.onModuleInit();
    return chain;
  }

  /** Has one after the other look at a token, as for a request. */
  async function validate({ all }: ValidatorChain, token: string): Promise<void> {
    for (const validator of all) {
      if (!('unrecognised' in (await validator.validate(token)))) return;
    }
  }

  const jwt = () => ({ jwksUrl: issuer.jwksUrl });

  it('is what is fixed, at once (AUTH-03)', async () => {
    const chain = await createChain({ bearer: { token: FIXED, subject: 'ada' }, jwt: jwt() });
    expect(chain.recall(FIXED)).toMatchObject({ isCached: false, authentication: { method: 'bearer' } });
    expect(chain.recall(FIXED)?.isCurrent()).toBe(true);
    expect(chain.recall(`${FIXED}x`)).toBeUndefined();
  });

  it('is what any of its first validators keeps (AUTH-11) (AUTH-18)', async () => {
    const other = { issuer: 'https://other.example.com', audience: AUDIENCE, jwksUrl: issuer.jwksUrl };
    const chain = await createChain({ bearer: FIXED, jwt: [other, { issuer: issuer.url, ...jwt() }] });
    const token = await issuer.token();
    expect(chain.recall(token)).toBeUndefined();
    await validate(chain, token);
    expect(chain.recall(token)).toMatchObject({ isCached: true, authentication: { method: 'jwt' } });
  });

  it("is nothing that comes after the application's own validator, which is asked each time (AUTH-18)", async () => {
    const chain = await createChain({
      jwt: jwt(),
      validator: { validate: () => ({ sub: 'ada' }) },
    });
    const token = await issuer.token();
    await validate(chain, token);
    await validate(chain, 'opaque-token-of-ada');
    expect(chain.recall(token)).toBeDefined();
    expect(chain.recall('opaque-token-of-ada')).toBeUndefined();
  });
});
