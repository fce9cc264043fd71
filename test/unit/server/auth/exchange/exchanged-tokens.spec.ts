import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ExchangedTokenCache } from '../../../../../lib/server/auth/exchange/exchanged-tokens.js';
import type { RequestedToken } from '../../../../../lib/server/context/token-exchange.js';
import type { TokenResponse } from '../../../../../lib/core/oauth/token-endpoint/request-token.js';
import { correctClock, passTime, stopClocks } from '../../../support/clocks.js';

interface Wish {
  readonly token?: string;
  /** Seconds that the caller's token lasts. */
  readonly callers?: number;
  /** Seconds that the token lasts which is got. */
  readonly own?: number | undefined;
  readonly wanted?: RequestedToken;
}

let tokens: ExchangedTokenCache;
let exchanges: number;

beforeEach(() => {
  stopClocks();
  tokens = new ExchangedTokenCache(3);
  exchanges = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

function answer(expiresInSeconds: number | undefined): TokenResponse {
  return {
    accessToken: `token-${exchanges}`,
    tokenType: 'bearer',
    refreshToken: undefined,
    issuedTokenType: undefined,
    expiresInSeconds,
    scopes: undefined,
  };
}

function get({ token = 'ada', callers, own = 3600, wanted = {} }: Wish = {}): Promise<string> {
  const expiresAt = callers === undefined ? undefined : Date.now() / 1000 + callers;
  return tokens.get({ subjectToken: token, expiresAt, wanted }, async () => {
    exchanges += 1;
    return answer(own);
  });
}

describe('ExchangedTokenCache', () => {
  it('gives a token until half a minute before its end (OBO-01)', async () => {
    await get({ own: 300 });
    passTime(269_000);
    await expect(get()).resolves.toBe('token-1');
    passTime(2000);
    await expect(get()).resolves.toBe('token-2');
  });

  it('gives a short one for half of its time (OBO-01)', async () => {
    await get({ own: 10 });
    passTime(4000);
    await expect(get()).resolves.toBe('token-1');
    passTime(2000);
    await expect(get()).resolves.toBe('token-2');
  });

  it("gives none longer than the caller's own lasts (OBO-01)", async () => {
    await get({ callers: 60 });
    passTime(59_000);
    await expect(get({ callers: 1 })).resolves.toBe('token-1');
    passTime(2000);
    await expect(get()).resolves.toBe('token-2');
  });

  it('gives one for a minute whose end nobody knows (OBO-01)', async () => {
    await tokens.get({ subjectToken: 'ada', expiresAt: undefined, wanted: {} }, async () => {
      exchanges += 1;
      return answer(undefined);
    });
    passTime(59_000);
    await expect(get()).resolves.toBe('token-1');
    passTime(2000);
    await expect(get()).resolves.toBe('token-2');
  });

  it('lets nothing last longer because a clock was corrected (OBO-01)', async () => {
    await get({ own: 300 });
    correctClock(-3_600_000);
    passTime(271_000);
    await expect(get()).resolves.toBe('token-2');
  });

  it('replaces one that the service refused, once for all who say so (OBO-01)', async () => {
    await get();
    const refused = { wanted: { refusedToken: 'token-1' } };
    await expect(Promise.all([get(refused), get(refused)])).resolves.toEqual(['token-2', 'token-2']);
    await expect(get(refused)).resolves.toBe('token-2');
    await expect(get()).resolves.toBe('token-2');
    expect(exchanges).toBe(2);
  });

  it('gives no refused one again where another cannot be got (OBO-01)', async () => {
    await get();
    const question = { subjectToken: 'ada', expiresAt: undefined, wanted: { refusedToken: 'token-1' } };
    await expect(tokens.get(question, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    await expect(get()).resolves.toBe('token-2');
  });

  it('keeps as many as it may, those that were asked for last (OBO-01)', async () => {
    for (const token of ['a', 'b', 'c', 'a', 'd']) await get({ token });
    expect(exchanges).toBe(4);
    await get({ token: 'a' });
    expect(exchanges).toBe(4);
    await get({ token: 'b' });
    expect(exchanges).toBe(5);
  });

  it('tells apart what is written together the same (OBO-01)', async () => {
    const wishes: readonly RequestedToken[] = [
      {},
      { audience: '' },
      { audience: 'a' },
      { resource: 'a' },
      { scopes: ['a'] },
      { audience: 'a', resource: 'a' },
    ];
    tokens = new ExchangedTokenCache(10);
    for (const wanted of wishes) await get({ wanted });
    expect(exchanges).toBe(wishes.length);
    await get({ wanted: { scopes: ['a', 'a'] } });
    expect(exchanges).toBe(wishes.length);
  });

  it('forgets everything, and what is under way too (OBO-01)', async () => {
    await get();
    const late = tokens.get({ subjectToken: 'bob', expiresAt: undefined, wanted: {} }, async () => {
      tokens.clear();
      return answer(3600);
    });
    await late;
    await get({ token: 'bob' });
    await get();
    expect(exchanges).toBe(3);
  });

  it('refuses more than 256 exchanges at a time, and none that share one (OBO-01)', async () => {
    let settle: (given: TokenResponse) => void = () => undefined;
    const pending = new Promise<TokenResponse>((resolve) => (settle = resolve));
    const wait = (token: string) =>
      tokens.get({ subjectToken: token, expiresAt: undefined, wanted: {} }, () => pending);
    const waiting = Array.from({ length: 256 }, (_, index) => wait(`token-${index}`));
    await expect(wait('one-more')).rejects.toThrow('256 token exchanges are already running');
    const shared = wait('token-0');
    settle(answer(3600));
    await expect(Promise.all([...waiting, shared])).resolves.toHaveLength(257);
    await expect(wait('one-more')).resolves.toBe('token-0');
  });
});
