import { describe, expect, it } from '@jest/globals';
import { TokenHistory } from '../../../../../lib/client/authorization/login/login-history.js';

const INVALID = { status: 401, isInvalid: true } as const;
const SHORT = { status: 403, isInvalid: false } as const;

describe('What became of tokens', () => {
  it('is how each was refused last (CLI-12)', () => {
    const history = new TokenHistory();
    history.refuse('one', SHORT);
    history.refuse('one', INVALID);
    history.refuse('other', SHORT);
    expect(['one', 'other', 'third'].map((token) => history.findRefusal(token))).toEqual([
      INVALID,
      SHORT,
      undefined,
    ]);
  });

  it('is forgotten of those that are long gone (CLI-12)', () => {
    const history = new TokenHistory();
    for (let number = 0; number < 100; number += 1) history.refuse(`token ${number}`, INVALID);
    const known = Array.from({ length: 100 }, (_, number) => history.findRefusal(`token ${number}`));
    expect(known.filter(Boolean)).toHaveLength(32);
    expect(known.at(-1)).toBe(INVALID);
  });

  it('is that the last one was got a moment ago, without a login (CLI-12)', () => {
    const history = new TokenHistory();
    expect(history.isRejectedAfterRefresh('one')).toBe(false);
    history.renew('one');
    expect(history.isRejectedAfterRefresh('one')).toBe(true);
    history.renew('other');
    expect(history.isRejectedAfterRefresh('one')).toBe(false);
  });

  it('is that one was taken, so that it was not renewed in vain (CLI-12)', () => {
    const history = new TokenHistory();
    history.renew('one');
    history.confirm('one');
    expect(history.isRejectedAfterRefresh('one')).toBe(false);
  });

  it('is whether the server has taken any since the login (PEER-06)', () => {
    const history = new TokenHistory();
    expect(history.isLoginUntaken).toBeUndefined();
    history.confirm('before');
    history.logIn();
    expect(history.isLoginUntaken).toBe(true);
    history.refuse('one', SHORT);
    expect(history.isLoginUntaken).toBe(false);
  });
});
