import { describe, expect, it } from '@jest/globals';
import { parseArguments } from '../../../cli/parse-arguments.js';
import { UsageError } from '../../../cli/usage.error.js';

const OPTIONS = {
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  header: { type: 'string', multiple: true },
  'auth-param': { type: 'string' },
  'max-wait': { type: 'string' },
  'max-bytes': { type: 'string' },
} as const;

const parse = (...args: string[]) => parseArguments(args, OPTIONS);

describe('parseArguments', () => {
  it('splits options from the rest (KIT-03) (CLI-20)', () => {
    const { values, positionals } = parse('a', '--json', '--token=x', '--header', 'y', '--', '--json');
    expect(values).toEqual({ json: true, token: 'x', header: ['y'] });
    expect(positionals).toEqual(['a', '--json']);
  });

  it.each([
    [['--tokn', 'secret'], 'Unknown option "--tokn": did you mean "--token"\\?'],
    [['--hlep'], 'Unknown option "--hlep": did you mean "--help"\\?'],
    [['--frobnicate=secret'], 'Unknown option "--frobnicate"'],
    [['--token=secret', '-t'], 'Unknown option "-t"'],
    [['--token'], 'The option "--token" requires a value'],
    [['--header', 'a', '--header'], 'The option "--header" requires a value'],
    [['--token', '--json'], 'The option "--token" requires a value'],
    [
      ['--token', '-secret'],
      'The option "--token" requires a value: pass a value that begins with "-" as --option=value',
    ],
    [['--json=secret'], 'The option "--json" does not accept a value'],
    [['--json='], 'The option "--json" does not accept a value'],
    [['--token=-secret', '--json=secret'], 'The option "--json" does not accept a value'],
    [['--tok\u001b\nen=secret'], 'Unknown option "--tok\u{fffd} en": did you mean "--token"\\?'],
    [['--param', 'a=b'], 'Unknown option "--param": did you mean "--auth-param"\\?'],
    [['--wait=1'], 'Unknown option "--wait": did you mean "--max-wait"\\?'],
    [['--max=1'], 'Unknown option "--max"'],
  ])('names the option that is wrong, without a value: %j (KIT-03) (CLI-20)', (args, message) => {
    const refuse = () => parse(...args);
    expect(refuse).toThrow(UsageError);
    expect(refuse).toThrow(new RegExp(`^${message}$`, 'u'));
  });
});
