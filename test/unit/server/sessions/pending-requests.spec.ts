import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import type { OutboundMessage } from '../../../../lib/core/protocol/outbound-message.js';
import { ClientResponseError } from '../../../../lib/server/sessions/client-response.error.js';
import { PendingRequests, type PendingCall } from '../../../../lib/server/sessions/pending-requests.js';
import type { Json } from '../../support/requests.js';

const REQUEST = { method: 'roots/list', params: { hint: 'all' } } as const;

describe('PendingRequests', () => {
  let pending: PendingRequests;
  let sent: Json[];
  let stop: AbortController;

  beforeEach(() => {
    jest.useFakeTimers();
    pending = new PendingRequests();
    sent = [];
    stop = new AbortController();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const send = (message: OutboundMessage) => void sent.push(JSON.parse(message.json) as Json);

  function request(rest: Partial<PendingCall> = {}): Promise<unknown> {
    const answer = pending.request({
      request: REQUEST,
      timeoutMs: 1000,
      signal: stop.signal,
      send,
      ...rest,
    });
    answer.catch(() => undefined);
    return answer;
  }

  const idOf = (index: number) => sent[index]?.['id'] as string;
  const settle = (id: string, rest: object) => pending.settle({ jsonrpc: '2.0', id, ...rest });

  it('sends a request and gives the result of its answer (REV-02)', async () => {
    const answer = request();
    expect(sent).toEqual([{ jsonrpc: '2.0', id: expect.any(String), ...REQUEST }]);
    expect(pending.size).toBe(1);
    settle(idOf(0), { result: { roots: [] } });
    await expect(answer).resolves.toEqual({ roots: [] });
    expect([pending.size, sent.length, jest.getTimerCount()]).toEqual([0, 1, 0]);
  });

  it('gives each answer to the request it names, whatever their order (REV-02)', async () => {
    const answers = [request(), request(), request()];
    for (const index of [2, 0, 1]) settle(idOf(index), { result: index });
    await expect(Promise.all(answers)).resolves.toEqual([0, 1, 2]);
  });

  it('never uses an id again, nor one of another session (SESS-04)', () => {
    const others = new PendingRequests();
    for (let count = 0; count < 5; count += 1) {
      void request();
      void others.request({ request: REQUEST, timeoutMs: 1000, signal: stop.signal, send });
    }
    expect(new Set(sent.map(({ id }) => id)).size).toBe(10);
  });

  it('fails where the client answers with an error (REV-01)', async () => {
    const answer = request();
    settle(idOf(0), { error: { code: -1, message: 'The user said no' } });
    await expect(answer).rejects.toBeInstanceOf(ClientResponseError);
    await expect(answer).rejects.toBeInstanceOf(ToolError);
    await expect(answer).rejects.toMatchObject({
      code: -1,
      method: 'roots/list',
      message: 'The client rejected "roots/list": The user said no',
    });
  });

  it('keeps what a client says of its error from being long or no text at all (REV-01)', async () => {
    const answers = [request(), request()];
    settle(idOf(0), { error: { code: -1, message: 'x'.repeat(10_000) } });
    settle(idOf(1), { error: { code: -1 } });
    await expect(answers[0]).rejects.toMatchObject({ message: expect.stringMatching(/^.{1,600}$/) });
    await expect(answers[1]).rejects.toThrow('The client rejected "roots/list": no reason');
  });

  it.each([undefined, null, 'unknown', 0, 1])('drops an answer to %j (CANC-02)', async (id) => {
    const answer = request();
    pending.settle({ jsonrpc: '2.0', ...(id !== undefined && { id }), result: {} } as never);
    expect(pending.size).toBe(1);
    settle(idOf(0), { result: 'right' });
    await expect(answer).resolves.toBe('right');
  });

  it('takes the first answer and drops the second (CANC-02)', async () => {
    const answer = request();
    settle(idOf(0), { result: 'first' });
    settle(idOf(0), { result: 'second' });
    settle(idOf(0), { error: { code: -1, message: 'third' } });
    await expect(answer).resolves.toBe('first');
  });

  it('gives up in time and tells the client so (CANC-03)', async () => {
    const answer = request();
    jest.advanceTimersByTime(999);
    expect(pending.size).toBe(1);
    jest.advanceTimersByTime(1);
    await expect(answer).rejects.toBeInstanceOf(ToolError);
    await expect(answer).rejects.toThrow('The client did not respond to "roots/list" in time');
    expect(pending.size).toBe(0);
    expect(sent[1]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: idOf(0), reason: expect.stringContaining('in time') },
    });
    settle(idOf(0), { result: 'late' });
    expect(sent).toHaveLength(2);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])(
    'waits as long as a timer can for %d ms (CANC-03)',
    (timeoutMs) => {
      void request({ timeoutMs });
      jest.advanceTimersByTime(86_400_000);
      expect([pending.size, sent.length]).toEqual([1, 1]);
    },
  );

  it('gives up with its call, with the reason, and tells the client so (CANC-01) (CANC-03)', async () => {
    const answer = request();
    stop.abort(new DOMException('The client cancelled', 'AbortError'));
    await expect(answer).rejects.toBeInstanceOf(ToolError);
    await expect(answer).rejects.toThrow('The client cancelled');
    expect([pending.size, jest.getTimerCount()]).toEqual([0, 0]);
    expect(sent[1]).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: idOf(0), reason: 'The client cancelled' },
    });
  });

  it('asks nothing for a call that is over already (CANC-01)', async () => {
    stop.abort(new DOMException('over', 'AbortError'));
    await expect(request()).rejects.toThrow('over');
    expect([sent, pending.size, jest.getTimerCount()]).toEqual([[], 0, 0]);
  });

  it('says nothing of a request that is answered when its call is cancelled (CANC-02)', async () => {
    const answer = request();
    settle(idOf(0), { result: 'done' });
    stop.abort(new DOMException('late', 'AbortError'));
    await expect(answer).resolves.toBe('done');
    expect(sent).toHaveLength(1);
  });

  it('gives everything up when the client is gone, and says nothing (CANC-03)', async () => {
    const answers = [request(), request()];
    pending.close();
    for (const answer of answers) await expect(answer).rejects.toThrow('The client is gone');
    expect([pending.size, sent.length, jest.getTimerCount()]).toEqual([0, 2, 0]);
  });

  it('keeps nothing of a request that cannot be sent (CANC-03)', async () => {
    const endless: Record<string, unknown> = {};
    endless['self'] = endless;
    const answer = request({ request: { method: 'roots/list', params: endless } });
    await expect(answer).rejects.toThrow(TypeError);
    expect([pending.size, jest.getTimerCount()]).toEqual([0, 0]);
    jest.advanceTimersByTime(2000);
    expect(sent).toEqual([]);
  });
});
