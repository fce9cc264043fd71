import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readRateLimitedResponse } from '../../../../lib/core/protocol/rate-limited.error.js';

const ERROR = JSON.stringify({ error: { code: -32023, message: 'Later', data: { retryAfterMs: 1500 } } });
const CHUNK = new Uint8Array(16_384).fill(0x20);

/** A body that gives so many chunks, and counts what was taken of it. */
class CountedBody {
  taken = 0;
  isCancelled = false;
  readonly stream: ReadableStream<Uint8Array>;

  constructor(chunks: number, ends = true) {
    this.stream = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (this.taken < chunks) {
            this.taken += 1;
            controller.enqueue(CHUNK);
          } else if (ends) controller.close();
          else return new Promise<void>(() => {});
          return undefined;
        },
        cancel: () => void (this.isCancelled = true),
      },
      { highWaterMark: 0 },
    );
  }
}

const answer = (body: ReadableStream<Uint8Array> | string | null, headers: Record<string, string> = {}) =>
  readRateLimitedResponse(new Response(body, { status: 429, headers }));

describe('readLimitedAnswer', () => {
  afterEach(() => void jest.useRealTimers());

  it('takes what the error says, and else what the header says (OPS-04)', async () => {
    expect((await answer(ERROR, { 'retry-after': '7' })).rateLimit).toEqual({ retryAfterMs: 1500 });
    expect((await answer('Slow down', { 'retry-after': '7' })).rateLimit).toEqual({ retryAfterMs: 7000 });
    expect((await answer(null)).rateLimit).toBeUndefined();
  });

  it('takes an error in pieces that split its characters (OPS-04)', async () => {
    const bytes = new TextEncoder().encode(ERROR.replace('Later', 'Später'));
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect((await answer(pieces)).rateLimit).toEqual({ retryAfterMs: 1500 });
  });

  it('reads no more of a long body than can be an error (OPS-04)', async () => {
    const body = new CountedBody(100_000);
    expect((await answer(body.stream, { 'retry-after': '7' })).rateLimit).toEqual({ retryAfterMs: 7000 });
    expect(body.taken).toBeLessThan(10);
    expect(body.isCancelled).toBe(true);
  });

  it('waits for no body that does not end (OPS-04)', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    const body = new CountedBody(1, false);
    const reading = answer(body.stream, { 'retry-after': '7' });
    await new Promise((resolve) => setImmediate(resolve));
    await jest.advanceTimersByTimeAsync(5000);
    expect((await reading).rateLimit).toEqual({ retryAfterMs: 7000 });
    expect(body.isCancelled).toBe(true);
  });

  it('takes a body that breaks off for none (OPS-04)', async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.error(new Error('reset')),
    });
    expect((await answer(broken, { 'retry-after': '7' })).rateLimit).toEqual({ retryAfterMs: 7000 });
  });
});
