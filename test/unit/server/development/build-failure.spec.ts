import { describe, expect, it } from '@jest/globals';
import { buildFailure } from '../../../../lib/server/development/development-link.js';

class StockError extends Error {
  override readonly name = 'StockError';
}

/** Cannot be looked at. */
const hostile = new Proxy(new Error('hidden'), {
  get() {
    throw new Error('looked at');
  },
  getPrototypeOf() {
    throw new Error('looked at');
  },
});

const odd = Object.assign(new Error('odd'), { name: 7 });

describe('buildFailure()', () => {
  it.each<[string, unknown, { readonly name: string; readonly message: unknown }]>([
    ['an error', new Error('no chair'), { name: 'Error', message: 'no chair' }],
    ['an error of a class', new StockError('no chair'), { name: 'StockError', message: 'no chair' }],
    ['an error whose name is none', odd, { name: 'Error', message: 'odd' }],
    ['a text', 'no chair', { name: 'string', message: expect.stringContaining('no chair') }],
    ['nothing', undefined, { name: 'undefined', message: expect.any(String) }],
    ['null', null, { name: 'object', message: expect.any(String) }],
    ['an object', { chair: 1 }, { name: 'object', message: expect.any(String) }],
    ['what throws when it is looked at', hostile, { name: 'unknown', message: expect.any(String) }],
  ])('describes %s', (_, failure, described) => {
    expect(buildFailure(failure)).toMatchObject({ type: 'failure', ...described, stack: expect.any(String) });
  });

  it('says which call it is of', () => {
    const call = { server: 'default', method: 'tools/call', target: 'sell' };
    expect(buildFailure(new Error('no chair'), call)).toMatchObject(call);
  });

  it('cuts what is long', () => {
    const failure = new Error('x'.repeat(100_000));
    failure.stack = 'y'.repeat(100_000);
    const { message, stack } = buildFailure(failure);
    expect(message).toHaveLength(4_000);
    expect(stack.length).toBeLessThanOrEqual(16_000);
  });
});
