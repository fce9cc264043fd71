import { describe, expect, it } from '@jest/globals';
import { isHeaderWord } from '../../../../lib/core/words/words.js';

describe('isHeaderWord()', () => {
  it.each(['!', '~', '2026-07-28', 'eyJhbGciOiJub25lIn0.e30.'])('takes %j', (value) => {
    expect(isHeaderWord(value)).toBe(true);
  });

  it.each(['', ' ', 'two words', 'word\n', 'tab\t', '\x7f', 'é', 7, null, undefined])(
    'refuses %j',
    (value) => {
      expect(isHeaderWord(value)).toBe(false);
    },
  );
});
