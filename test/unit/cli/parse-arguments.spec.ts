import { describe, expect, it } from '@jest/globals';
import { parseArguments } from '../../../cli/parse-arguments.js';
import { UsageError } from '../../../cli/usage.error.js';

const OPTIONS = {
  token: { type: 'string' },
  json: { type: 'boolean', default: false },
  header: { type: 'string', multiple: true },
} as const;

const parse = (...args: string[]) => parseArguments(args, OPTIONS);

describe('parseArguments', () => {
  it('splits options from the rest (KIT-03) (CLI-20)', () => {
    const { values, positionals } = parse('a', '--json', '--token=x', '--header', 'y', '--', '--json');
    expect(values).toEqual({ json: true, token: 'x', header: ['y'] });
    expect(positionals).toEqual(['a', '--json']);
  });

  it.each([
    [['--tokn', 'secret'], 'The option "--tokn" is not known: did you mean "--token"\\?'],
    [['--hlep'], 'The option "--hlep" is not known: did you mean "--help"\\?'],
    [['--frobnicate=secret'], 'The option "--frobnicate" is not known'],
    [['--token=secret', '-t'], 'The option "-t" is not known'],
    [['--token'], 'The option "--token" lacks its value'],
    [['--header', 'a', '--header'], 'The option "--header" lacks its value'],
    [['--token', '--json'], 'The option "--token" lacks its value'],
    [['--token', '-secret'], 'The option "--token" lacks its value: join one that begins with "-" by "="'],
    [['--json=secret'], 'The option "--json" takes no value'],
    [['--json='], 'The option "--json" takes no value'],
    [['--token=-secret', '--json=secret'], 'The option "--json" takes no value'],
    [['--tok\u001b\nen=secret'], 'The option "--tok\u{fffd} en" is not known: did you mean "--token"\\?'],
  ])('names the option that is wrong, without a value: %j (KIT-03) (CLI-20)', (args, message) => {
    const refuse = () => parse(...args);
    expect(refuse).toThrow(UsageError);
    expect(refuse).toThrow(new RegExp(`^${message}$`, 'u'));
  });
});
