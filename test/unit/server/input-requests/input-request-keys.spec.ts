import { describe, expect, it } from '@jest/globals';
import { InputRequestKeys } from '../../../../lib/server/input-requests/input-request-keys.js';

describe('InputRequestKeys', () => {
  it('counts from the questions that were asked (REV-02)', () => {
    const keys = new InputRequestKeys();
    expect(keys.count()).toBe('question-1');
    expect(keys.count()).toBe('question-1');
    keys.claim('question-1');
    keys.claim('other');
    expect(keys.count()).toBe('question-3');
  });

  it('counts past a key that a handler gave, in every round alike (REV-02)', () => {
    const rounds = [new InputRequestKeys(), new InputRequestKeys()].map((keys) => {
      keys.claim('question-2');
      const counted = keys.count();
      keys.claim(counted);
      return counted;
    });
    expect(rounds).toEqual(['question-3', 'question-3']);
  });

  it('lets a key name one question (REV-02)', () => {
    const keys = new InputRequestKeys();
    keys.claim('a');
    expect([keys.has('a'), keys.has('b'), keys.has('toString')]).toEqual([true, false, false]);
    expect(() => keys.claim('a')).toThrow(
      new TypeError('The key "a" is used for two input requests of one call: use a different key for each'),
    );
  });

  it('takes 64 questions of one call (REV-02)', () => {
    const keys = new InputRequestKeys();
    for (let count = 0; count < 64; count += 1) keys.claim(keys.count());
    expect(() => keys.claim('more')).toThrow(RangeError);
  });
});
