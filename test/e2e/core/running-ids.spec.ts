import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';

const PING = { jsonrpc: '2.0', id: 'running', method: 'ping' };
let counter = 0;

describe.each(ADAPTERS)('The id of a request that runs, on %s', (adapter) => {
  let desk: RunningApp;
  let tools: WaitingTools;
  let gate: string;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [WaitingTools] });
    tools = desk.app.get(WaitingTools);
  });

  beforeEach(() => void (gate = `${adapter} ${(counter += 1)}`));

  afterAll(() => desk.close());

  /** Starts a call by that id, and gives its content once it is let end: nothing where it was cancelled. */
  async function start(
    session: SessionClient,
    id: string | number = 'running',
  ): Promise<() => Promise<unknown>> {
    const params = { name: 'wait', arguments: { gate } };
    const answered = session.post({ ...PING, id, method: 'tools/call', params });
    // A test that fails before it waits for its call is to fail for its own reason.
    answered.catch(() => undefined);
    await tools.gates.at(gate).reached();
    return async () => {
      tools.gates.at(gate).open();
      const { text: answer } = await answered;
      return answer === '' ? 'nothing' : (JSON.parse(answer) as Message).result?.['content'];
    };
  }

  const text = () => [{ type: 'text', text: gate }];

  it('is not that of another in the same session, whose answer it would have (CORE-01)', async () => {
    const session = await initialize(desk.url);
    const end = await start(session);
    expect((await session.post(PING)).json).toMatchObject({ id: 'running', error: { code: -32600 } });
    expect(await end()).toEqual(text());
    expect((await session.post(PING)).json).toMatchObject({ id: 'running', result: {} });
  });

  it('cancels the request that runs, though another was refused by it (CANC-01)', async () => {
    const session = await initialize(desk.url);
    const end = await start(session);
    expect((await session.post(PING)).json).toHaveProperty('error');
    await session.notify('notifications/cancelled', { requestId: 'running' });
    expect((await session.post(PING)).json).toMatchObject({ result: {} });
    expect(await end()).toBe('nothing');
  });

  it('is that of others in other sessions (SESS-04)', async () => {
    const [session, other] = [await initialize(desk.url), await initialize(desk.url)];
    const end = await start(session);
    expect((await other.post(PING)).json).toMatchObject({ id: 'running', result: {} });
    expect(await end()).toEqual(text());
  });

  it('tells a number from a text (CORE-01)', async () => {
    const session = await initialize(desk.url);
    const end = await start(session, 7);
    expect((await session.post({ ...PING, id: '7' })).json).toMatchObject({ id: '7', result: {} });
    expect((await session.post({ ...PING, id: 7 })).json).toMatchObject({ id: 7, error: { code: -32600 } });
    expect(await end()).toEqual(text());
  });

  it('is that of one request in a batch (CORE-01, CORE-09)', async () => {
    const session = await initialize(desk.url, { version: '2025-03-26' });
    const end = await start(session);
    const { json } = await session.post([PING, { ...PING, id: 'free' }]);
    expect(json).toMatchObject([
      { id: 'running', error: { code: -32600 } },
      { id: 'free', result: {} },
    ]);
    expect(await end()).toEqual(text());
  });
});
