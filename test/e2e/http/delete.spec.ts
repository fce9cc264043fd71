import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { until, within } from '../../support/until.js';

describe.each(ADAPTERS)('DELETE on %s', (adapter) => {
  let desk: RunningApp;
  let tools: WaitingTools;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [WaitingTools] });
    tools = desk.app.get(WaitingTools);
  });

  afterAll(() => desk.close());

  it('is answered with success and nothing to read (HTTP-05)', async () => {
    const session = await initialize(desk.url);
    const answer = await session.delete();
    expect(answer.status).toBe(204);
    expect(answer.headers).not.toHaveProperty('content-length');
    expect(answer.text).toBe('');
  });

  it('makes the session unknown to every method (HTTP-05)', async () => {
    const session = await initialize(desk.url);
    await session.delete();
    const after = [
      await session.post({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      await sendHttp(desk.url, { headers: { ...session.headers, accept: 'text/event-stream' } }),
      await session.delete(),
    ];
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('takes the session out of those the application sees (HTTP-05)', async () => {
    const notifier = desk.app.get(McpNotifier);
    const session = await initialize(desk.url);
    expect(notifier.sessions.map(({ id }) => id)).toContain(session.id);
    await session.delete();
    expect(notifier.sessions.map(({ id }) => id)).not.toContain(session.id);
  });

  it('closes the standing stream (HTTP-05)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    await session.delete();
    await within(stream.ended, 'the end of the standing stream');
    expect(stream.isEnded).toBe(true);
  });

  it('cancels what runs in the session and closes its stream (HTTP-05)', async () => {
    const gate = `running ${adapter}`;
    const session = await initialize(desk.url);
    const params = { name: 'wait', arguments: { gate }, _meta: { progressToken: 1 } };
    const stream = await session.start('tools/call', params).stream();
    await tools.gates.at(gate).reached();
    await session.delete();
    await within(stream.ended, 'the end of the stream of the call');
    await until(() => tools.aborted.includes(gate), 'an aborted handler');
    expect(stream.messages.filter((message) => 'result' in message)).toEqual([]);
  });

  it('ends a call that has not answered anything yet (HTTP-05)', async () => {
    const gate = `silent ${adapter}`;
    const session = await initialize(desk.url);
    const call = session.start('tools/call', { name: 'wait', arguments: { gate } });
    await tools.gates.at(gate).reached();
    await session.delete();
    const answer = await call.answer();
    expect(answer.result).toBeUndefined();
    await until(() => tools.aborted.includes(gate), 'an aborted handler');
  });

  it('leaves other sessions alone (HTTP-05)', async () => {
    const [session, other] = [await initialize(desk.url), await initialize(desk.url)];
    const stream = await other.openStream();
    await session.delete();
    desk.app.get(McpNotifier).log('info', 'still here');
    expect(await stream.nextNotification('notifications/message')).toMatchObject({
      params: { data: 'still here' },
    });
    expect((await other.request('ping')).result).toEqual({});
    await stream.close();
  });
});
