import { describe, expect, it } from '@jest/globals';
import { parseCallOptions } from '../../../../cli/call/call-options.js';
import { UsageError } from '../../../../cli/usage.error.js';

const parse = (...args: string[]) => parseCallOptions(['http://127.0.0.1:3000/mcp', 'book', ...args], {});

describe('The arguments of "call"', () => {
  it('keep the texts of a key that comes several times (CLI-20)', () => {
    expect([...parse('a=1', 'b=', 'a=2').given.texts]).toEqual([
      ['a', ['1', '2']],
      ['b', ['']],
    ]);
  });

  it.each([
    [['secret'], 'Argument 1 '],
    [['a=1', '=secret'], 'Argument 2 '],
    [['a=1', 'a=2', 'a=3', 'secret'], 'Argument 4 '],
  ])('name the place of what is no "key=value": %j (CLI-20)', (args, place) => {
    const refuse = () => parse(...args);
    expect(refuse).toThrow(UsageError);
    expect(refuse).toThrow(`${place}must be of the form "key=value"`);
  });

  it.each([
    ['{', 'not valid JSON'],
    ['[]', 'a different JSON value'],
  ])('say what "--json" is where it is no object: %s (CLI-20)', (text, what) => {
    expect(() => parse('--json', text)).toThrow(`but is ${what}`);
  });
});
