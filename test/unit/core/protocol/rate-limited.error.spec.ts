import { describe, expect, it } from '@jest/globals';
import {
  findRateLimit,
  findServerLimit,
  RateLimitedError,
  RateLimitedResponseError,
  readRateLimitedResponse,
} from '../../../../lib/core/protocol/rate-limited.error.js';

const error = { code: -32023, message: 'slow down', data: { retryAfterMs: 1500, limit: 3, remaining: 0 } };

describe('RateLimitedError (SEP-3304)', () => {
  it('has the code, the status and the data of the SEP (OPS-04)', () => {
    const limited = new RateLimitedError('slow down', { retryAfterMs: 1500, limit: 3, remaining: 0 });
    expect(limited.toJSON()).toEqual(error);
    expect(limited).toMatchObject({ httpStatus: 429, retryAfterSeconds: 2 });
  });

  it('tells no more than it was given, in whole numbers (OPS-04)', () => {
    const { data } = new RateLimitedError('slow down', { retryAfterMs: 0.2 });
    expect(data).toStrictEqual({ retryAfterMs: 1 });
  });

  it.each([-1, Number.NaN, Infinity, 1e30])('refuses to be made of %s (OPS-04)', (retryAfterMs) => {
    expect(() => new RateLimitedError('slow down', { retryAfterMs })).toThrow('"retryAfterMs" must be');
  });

  it.each([
    [undefined],
    [{ ...error, code: -32603 }],
    [{ ...error, data: undefined }],
    [{ ...error, data: { retryAfterMs: '1500' } }],
    [{ ...error, data: { retryAfterMs: -1 } }],
  ])('is not found in %j (OPS-04)', (given) => {
    expect(findRateLimit(given)).toBeUndefined();
  });

  it('is found without the members that are of another type (OPS-04)', () => {
    const data = { retryAfterMs: 5, limit: 'many', remaining: null };
    expect(findRateLimit({ ...error, data })).toStrictEqual({ retryAfterMs: 5 });
  });
});

describe('An answer with status 429', () => {
  const answer = (body: string, retryAfter?: string) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    return readRateLimitedResponse(new Response(body, { status: 429, headers }));
  };

  it('is read for its JSON-RPC error before its header (SEP-3304, RL-9) (OPS-04)', async () => {
    const { rateLimit } = await answer(JSON.stringify({ jsonrpc: '2.0', id: 1, error }), '60');
    expect(rateLimit).toEqual({ retryAfterMs: 1500, limit: 3, remaining: 0 });
  });

  it.each([['Too many requests'], [''], ['null'], ['{"error":"slow down"}'], [`"${'x'.repeat(70_000)}"`]])(
    'is read for its header if its body says nothing: %.20s (OPS-04)',
    async (body) => {
      expect((await answer(body, '60')).rateLimit).toEqual({ retryAfterMs: 60_000 });
    },
  );

  it('may say nothing of when to come again (OPS-04)', async () => {
    expect((await answer('')).rateLimit).toBeUndefined();
  });
});

describe('What a server says of a limit', () => {
  it.each([
    ['an error of JSON-RPC', error],
    ['what wraps one', new Error('failed', { cause: new Error('again', { cause: error }) })],
    ['an answer with status 429', new RateLimitedResponseError({ retryAfterMs: 1500 })],
  ])('is found in %s (OPS-04)', (_what, given) => {
    expect(findServerLimit(given)).toMatchObject({ retryAfterMs: 1500 });
  });

  it('is not found elsewhere, nor in a circle (OPS-04)', () => {
    const circle = new Error('circle');
    circle.cause = circle;
    expect([circle, undefined, 'failed', { code: -32603 }].map(findServerLimit)).toEqual(
      Array(4).fill(undefined),
    );
  });
});
