import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientProgress } from '../../../../lib/server/context/input-request.interface.js';
import { PendingRequests } from '../../../../lib/server/sessions/pending-requests.js';
import type { Json } from '../../support/requests.js';

const REQUEST = { method: 'roots/list', params: { hint: 'all' } } as const;

describe('The progress of PendingRequests', () => {
  let pending: PendingRequests;
  let sent: Json[];
  let heard: ClientProgress[];

  beforeEach(() => {
    pending = new PendingRequests();
    sent = [];
    heard = [];
  });

  function request(onProgress?: (progress: ClientProgress) => void): Promise<unknown> {
    const answer = pending.request({
      request: REQUEST,
      timeoutMs: 1000,
      signal: new AbortController().signal,
      send: ({ json }) => void sent.push(JSON.parse(json) as Json),
      onProgress,
    });
    answer.catch(() => undefined);
    return answer;
  }

  const hear = (progress: ClientProgress) => void heard.push(progress);
  const last = () => sent.at(-1) as { readonly id: string; readonly params: Json };

  it('is asked for where somebody listens, by a token (PROG-02)', () => {
    void request();
    expect(last().params).toEqual({ hint: 'all' });
    void request(hear);
    expect(last().params).toEqual({ hint: 'all', _meta: { progressToken: expect.any(String) } });
  });

  it('reaches who asked, by the token (PROG-02)', () => {
    const others: ClientProgress[] = [];
    void request(hear);
    const { progressToken } = last().params['_meta'] as Json;
    void request((progress) => others.push(progress));
    pending.progress({ progressToken, progress: 1 });
    pending.progress({ progressToken, progress: 2.5, total: 10, message: 'still thinking' });
    expect(heard).toEqual([{ progress: 1 }, { progress: 2.5, total: 10, message: 'still thinking' }]);
    expect(others).toEqual([]);
  });

  it('is dropped with a token that is not known (PROG-02)', () => {
    void request(hear);
    void request();
    const silent = last().id;
    for (const progressToken of ['unknown', 1, '', null, undefined, {}, ['1'], silent]) {
      pending.progress({ progressToken, progress: 1 });
    }
    pending.progress({});
    expect(heard).toEqual([]);
  });

  it('is dropped where it does not grow or is no number (PROG-02)', () => {
    void request(hear);
    const { progressToken } = last().params['_meta'] as Json;
    for (const progress of [1, 1, 0, '2', null, undefined, Number.NaN, 3]) {
      pending.progress({ progressToken, progress });
    }
    expect(heard).toEqual([{ progress: 1 }, { progress: 3 }]);
  });

  it('loses a total and a message of another type (PROG-02)', () => {
    void request(hear);
    const { progressToken } = last().params['_meta'] as Json;
    pending.progress({ progressToken, progress: 1, total: '10', message: { text: 'no' } });
    expect(heard).toEqual([{ progress: 1 }]);
  });

  it('is dropped once the request is answered (PROG-02)', async () => {
    const answer = request(hear);
    const { id, params } = last();
    pending.settle({ jsonrpc: '2.0', id, result: {} });
    await answer;
    pending.progress({ progressToken: (params['_meta'] as Json)['progressToken'], progress: 1 });
    expect(heard).toEqual([]);
  });

  it('fails the request where the listener does, and not who brought it (PROG-02)', async () => {
    const answer = request(() => {
      throw new RangeError('The listener is broken');
    });
    const { progressToken } = last().params['_meta'] as Json;
    expect(() => pending.progress({ progressToken, progress: 1 })).not.toThrow();
    await expect(answer).rejects.toThrow('The listener is broken');
    expect(pending.size).toBe(0);
    expect(last()).toMatchObject({ method: 'notifications/cancelled' });
  });
});
