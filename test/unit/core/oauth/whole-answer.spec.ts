import { describe, expect, it } from '@jest/globals';
import {
  explainNoResponse,
  LONGEST_RESPONSE_BYTES,
  readWholeResponse,
} from '../../../../lib/core/oauth/whole-response.js';

describe('readWhole', () => {
  it('gives an answer of the longest length as it came (CLI-03)', async () => {
    const text = 'x'.repeat(LONGEST_RESPONSE_BYTES);
    const headers = { 'content-type': 'text/plain' };
    const answer = await readWholeResponse(new Response(text, { status: 201, statusText: 'Yes', headers }));
    expect(answer).toMatchObject({ status: 201, statusText: 'Yes' });
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(await answer.text()).toBe(text);
  });

  it('reads no further than that (CLI-03)', async () => {
    let pulled = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(LONGEST_RESPONSE_BYTES / 2));
      },
      cancel() {
        isCancelled = true;
      },
    });
    await expect(readWholeResponse(new Response(body))).rejects.toThrow('sent more than 524288 bytes');
    expect(pulled).toBeLessThan(6);
    expect(isCancelled).toBe(true);
  });

  it('cuts what a refusal says, and gives its status (PEER-07)', async () => {
    const answer = await readWholeResponse(new Response('x'.repeat(LONGEST_RESPONSE_BYTES), { status: 400 }));
    expect(answer.status).toBe(400);
    expect(await answer.text()).toHaveLength(65_536);
  });

  it.each([204, 205, 304])('gives an answer without a body: %i', async (status) => {
    const answer = await readWholeResponse(new Response(null, { status }));
    expect(answer).toMatchObject({ status, body: null });
  });
});

describe('explainNoAnswer', () => {
  const failed = (cause?: unknown) => new TypeError('fetch failed', { cause });

  it.each([
    [failed(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })), 'ECONNREFUSED'],
    [Object.assign(new Error('look-up'), { code: 'ENOTFOUND' }), 'ENOTFOUND'],
    [failed(new Error('other side closed')), 'other side closed'],
    [failed(), 'TypeError'],
  ])('says what stands behind %s', (error, reason) => {
    expect(explainNoResponse(error)).toBe(`cannot be reached: ${reason}`);
  });
});
