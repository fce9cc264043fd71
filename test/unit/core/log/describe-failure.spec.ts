import { describe, expect, it } from '@jest/globals';
import { describeFailure } from '../../../../lib/core/log/describe-failure.js';

const FORGED = 'x\n[Nest] 1  - ERROR [McpDispatcher] forged\u001b[2J';

/** The lines of a stack that do not say where it comes from. */
const headOf = (failure: unknown) =>
  (describeFailure(failure).stack ?? '').split('\n').filter((line) => !line.startsWith('    at '));

describe('describeFailure', () => {
  it('writes what an error says on one line, and where it comes from below (OPS-06)', () => {
    const { text, message, stack } = describeFailure(new TypeError(FORGED));
    expect(message).toBe(FORGED);
    expect(text).toBe(String.raw`x\n[Nest] 1  - ERROR [McpDispatcher] forged\u001b[2J`);
    expect(headOf(new TypeError(FORGED))).toEqual([`TypeError: ${text}`]);
    expect(stack).toContain('describe-failure.spec');
  });

  it('lets no message begin a line that was another one when the stack was made (OPS-06)', () => {
    const failure = new Error(FORGED);
    // It is written when it is read first.
    expect(failure.stack).toBeDefined();
    failure.message = 'The ticket could not be closed';
    expect(headOf(failure)).toHaveLength(1);
    expect(describeFailure(failure).stack).not.toContain('\u001b');
    expect(describeFailure(failure).stack).toContain('describe-failure.spec');
  });

  it('lets none that says where it comes from push away what does (OPS-06)', () => {
    const frames = Array.from({ length: 50 }, (_, index) => `    at forged${index} (evil.js:1:1)`);
    const failure = new Error(`x\n${frames.join('\n')}`);
    // It is written when it is read first.
    expect(failure.stack).toBeDefined();
    failure.message = 'another';
    const { stack = '' } = describeFailure(failure);
    expect(stack.split('\n').length).toBeLessThanOrEqual(Error.stackTraceLimit + 1);
    expect(stack).toContain('describe-failure.spec');
  });

  it.each<[string, Error]>([
    ['an empty message', new Error('')],
    ['a stack that was written', Object.assign(new Error('a'), { stack: `Error: b\n${FORGED}\n    at c` })],
    ['a stack without places', Object.assign(new Error('a'), { stack: FORGED })],
    ['a name that was written', Object.assign(new Error('a'), { name: FORGED })],
  ])('writes one line above the places for %s (OPS-06)', (_case, failure) => {
    expect(headOf(failure)).toHaveLength(1);
    expect(describeFailure(failure).stack).not.toContain('\u001b');
  });

  it('bounds what it writes (OPS-06)', () => {
    const failure = new Error('x'.repeat(1_000_000));
    // It is written when it is read first.
    expect(failure.stack).toBeDefined();
    failure.message = 'y'.repeat(1_000_000);
    const { text, stack = '' } = describeFailure(failure);
    expect(text.length).toBeLessThan(2100);
    expect(stack.length).toBeLessThan(30_000);
  });

  it('describes whatever is thrown, also what throws when it is looked at (OPS-06)', () => {
    expect(describeFailure('a\nb').text).toBe(String.raw`a\nb`);
    expect(describeFailure(undefined).text).toBe('undefined');
    const trap = new Proxy(new Error('a'), {
      get: () => {
        throw new Error('trap');
      },
    });
    expect(describeFailure(trap).text).toBe('the thrown value cannot be shown');
    expect(describeFailure(Object.assign(new Error('a'), { stack: 7 })).stack).toBeUndefined();
  });
});
