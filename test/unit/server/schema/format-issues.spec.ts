import { describe, expect, it } from '@jest/globals';
import { formatIssues } from '../../../../lib/server/schema/validation-issues.js';

describe('formatIssues', () => {
  it('writes a line an issue, beginning with the argument (MOD-07)', () => {
    const text = formatIssues([
      { path: 'address.street', message: 'is required but missing' },
      { path: '', message: 'matches none of the alternatives' },
    ]);
    expect(text).toBe('address.street: is required but missing\nmatches none of the alternatives');
  });

  it('says the same thing once (MOD-07)', () => {
    const issue = { path: 'a', message: 'is wrong' };
    expect(formatIssues([issue, { ...issue }])).toBe('a: is wrong');
  });

  it('stops after twenty lines and counts the others (MOD-07)', () => {
    const issues = Array.from({ length: 33 }, (_, at) => ({ path: `a.${at}`, message: 'is wrong' }));
    const lines = formatIssues(issues).split('\n');
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe('and 13 more');
  });

  it('keeps each line short (MOD-07)', () => {
    const text = formatIssues([{ path: 'p'.repeat(1_000), message: 'm '.repeat(1_000) }]);
    expect(text.length).toBeLessThanOrEqual(402);
    expect(text).toContain('…');
  });

  it('cuts a long quotation and keeps what follows it (MOD-07)', () => {
    const message = `Expected "a" but received "${'x'.repeat(200)}", which is too long`;
    expect(formatIssues([{ path: 'a', message }])).toBe(
      `a: Expected "a" but received "${'x'.repeat(24)}…", which is too long`,
    );
  });

  it('keeps a list of short quotations whole (MOD-07)', () => {
    const message = `expected one of ${Array.from({ length: 12 }, (_, at) => `"value-${at}"`).join('|')}`;
    expect(formatIssues([{ path: 'a', message }])).toBe(`a: ${message}`);
  });

  it('lets no name or value write a line of its own (MOD-07)', () => {
    const text = formatIssues([{ path: 'a\nb', message: 'received "x\r\n\u2028\u0000y"' }]);
    expect(text).toBe('a b: received "x y"');
  });
});
