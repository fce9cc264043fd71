import { describe, expect, it } from '@jest/globals';
import { quoteAll } from '../../../../lib/core/words/words.js';

describe('quoteAll()', () => {
  it('quotes each name', () => {
    expect(quoteAll(['read', 'write'])).toBe('"read", "write"');
    expect(quoteAll(['read'])).toBe('"read"');
    expect(quoteAll([])).toBe('');
  });

  it('puts between two of them what the sentence needs', () => {
    expect(quoteAll(['read', 'write', 'list'], ' or ')).toBe('"read" or "write" or "list"');
  });

  it('takes whatever lists names', () => {
    expect(quoteAll(new Set(['read', 'write']))).toBe('"read", "write"');
  });
});
