import { describe, expect, it } from '@jest/globals';
import { splitWords } from '../../../../lib/core/words/words.js';

describe('splitWords()', () => {
  it.each([
    ['closeTicket', ['close', 'ticket']],
    ['close_ticket', ['close', 'ticket']],
    ['tickets.close-all', ['tickets', 'close', 'all']],
    ['HTTPServer', ['http', 'server']],
    ['v2Api', ['v2', 'api']],
    ['Ends the work, on a ticket!', ['ends', 'the', 'work', 'on', 'a', 'ticket']],
    ['Café Übersicht', ['cafe', 'ubersicht']],
    ['ﬁle', ['file']],
    ['Ελλάδα', ['ελλάδα']],
    ['東京の天気', ['東京', 'の', '天気']],
    ['', []],
    ['!?', []],
  ])('splits %j (XTN-07)', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('cuts words that are too long to be meant (XTN-07)', () => {
    expect(splitWords('x'.repeat(1000))).toEqual(['x'.repeat(64)]);
  });
});
