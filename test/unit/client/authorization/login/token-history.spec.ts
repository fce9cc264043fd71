import { describe, expect, it } from '@jest/globals';
import { TokenHistory } from '../../../../../lib/client/authorization/login/token-history.js';

describe('What became of tokens', () => {
  it('is how each was refused last (CLI-12)', () => {
    const history = new TokenHistory();
    history.refuse('one', 403);
    history.refuse('one', 401);
    history.refuse('other', 403);
    expect(['one', 'other', 'third'].map((token) => history.findRefusal(token))).toEqual([
      401,
      403,
      undefined,
    ]);
  });

  it('is forgotten of those that are long gone (CLI-12)', () => {
    const history = new TokenHistory();
    for (let number = 0; number < 100; number += 1) history.refuse(`token ${number}`, 401);
    const known = Array.from({ length: 100 }, (_, number) => history.findRefusal(`token ${number}`));
    expect(known.filter(Boolean)).toHaveLength(32);
    expect(known.at(-1)).toBe(401);
  });

  it('is that the last one was got a moment ago, without a login (CLI-12)', () => {
    const history = new TokenHistory();
    expect(history.isJustRenewed('one')).toBe(false);
    history.renew('one');
    expect(history.isJustRenewed('one')).toBe(true);
    history.renew('other');
    expect(history.isJustRenewed('one')).toBe(false);
  });
});
