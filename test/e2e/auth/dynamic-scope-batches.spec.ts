import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { PROJECT_CALLERS, ProjectHandlers, ran } from '../../support/applications/project-desk.js';
import { authorize, bootDesk, PUBLISHED } from '../../support/applications/protected-desk.js';
import { initialize } from '../../support/clients/json-rpc.js';
import type { JsonObject, Message } from '../../support/clients/message.js';
import type { RawResponse } from '../../support/clients/raw-http.js';

const request = (id: number, method: string, params: JsonObject) => ({ jsonrpc: '2.0', id, method, params });
const call = (id: number, name: string, args: JsonObject) =>
  request(id, 'tools/call', { name, arguments: args });

const outcomesOf = ({ json }: RawResponse) =>
  (json as Message[]).map(({ id, result, error }) => [id, error?.code ?? result?.['isError'] ?? 'fine']);

describe.each(ADAPTERS)('Scopes by arguments in a batch on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      providers: [ProjectHandlers],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  async function post(
    caller: keyof typeof PROJECT_CALLERS,
    messages: readonly object[],
  ): Promise<RawResponse> {
    const { token } = PROJECT_CALLERS[caller];
    const session = await initialize(desk.url, { version: '2025-03-26', headers: authorize(token) });
    return session.post(messages);
  }

  it('are asked for at once, for each request by its own arguments, and nothing runs (XTN-04)', async () => {
    const answer = await post('desk', [
      call(1, 'look', { project: 'alpha' }),
      call(2, 'open', { project: 'alpha' }),
      call(3, 'annotate', { project: 'beta' }),
      request(4, 'resources/read', { uri: 'project://gamma/tickets/1' }),
    ]);
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain(
      'scope="desk:write project:alpha:read project:beta:write project:gamma:read"',
    );
    expect(ran).toEqual([]);
  });

  it('let it run if the token has them all (XTN-04)', async () => {
    const answer = await post('alpha', [
      call(1, 'open', { project: 'alpha' }),
      request(2, 'resources/read', { uri: 'project://alpha/tickets/1' }),
    ]);
    expect([answer.status, outcomesOf(answer), new Set(ran)]).toEqual([
      200,
      [
        [1, 'fine'],
        [2, 'fine'],
      ],
      new Set(['open alpha', 'ticket alpha 1']),
    ]);
  });

  it('refuse a request of which they cannot be told by itself (XTN-04)', async () => {
    const answer = await post('alpha', [
      call(1, 'open', { project: 'alpha desk:admin' }),
      call(2, 'look', { project: 'broken' }),
      call(3, 'open', { project: 'alpha' }),
    ]);
    expect([answer.status, outcomesOf(answer), ran]).toEqual([
      200,
      [
        [1, -32602],
        [2, true],
        [3, 'fine'],
      ],
      ['open alpha'],
    ]);
  });
});
