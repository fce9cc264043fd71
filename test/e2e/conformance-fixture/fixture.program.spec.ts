import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';
import { FixtureProcess } from './fixture-process.js';

describe.each(ADAPTERS)('The conformance fixture, on %s', (adapter) => {
  const environment = { ADAPTER: adapter, KEEPALIVE_MS: '20', UNKNOWN: 'ignored' };
  let fixture: FixtureProcess;
  let url: string;

  beforeAll(async () => {
    fixture = new FixtureProcess(environment);
    url = await fixture.url();
  });

  afterAll(async () => {
    await fixture.stop();
  });

  it('lists a tool first that takes no arguments and succeeds (MOD-10)', async () => {
    const client = perRequest(url);
    const { tools } = await client.start('tools/list').result();
    const [first] = tools as { name: string }[];
    const called = await client.request('tools/call', { name: first?.name, arguments: {} });
    expect(called.result).toMatchObject({ content: [{ type: 'text' }] });
    expect(called.result).not.toHaveProperty('isError');
  });

  it('keeps a standing stream alive with comments (HTTP-08)', async () => {
    const session = await initialize(url);
    const stream = await session.openStream();
    await stream.next(({ comments }) => comments.length > 0);
    await stream.next(({ comments }) => comments.length > 0);
    expect(stream.messages).toEqual([]);
    await stream.close();
  });

  it.each([
    ['test_trigger_tool_change', 'notifications/tools/list_changed'],
    ['test_trigger_prompt_change', 'notifications/prompts/list_changed'],
  ])('tells sessions and subscriptions of %s (MOD-06) (NOTE-03) (NOTE-08)', async (name, method) => {
    const session = await initialize(url);
    const client = perRequest(url);
    const standing = await session.openStream();
    const listening = await client.listen({ toolsListChanged: true, promptsListChanged: true });
    await client.request('tools/call', { name });
    await expect(standing.nextNotification(method)).resolves.toEqual({ jsonrpc: '2.0', method });
    await expect(listening.nextNotification(method)).resolves.toMatchObject({ method });
    await Promise.all([standing.close(), listening.close()]);
  });

  it('counts aborted calls on both kinds of revision (CANC-01) (HTTP-09)', async () => {
    const session = await initialize(url);
    const client = perRequest(url);
    const waiting = { name: 'test_cancellation', arguments: { ms: 60_000 }, _meta: { progressToken: 1 } };
    const count = async () => {
      const { contents } = await client.start('resources/read', { uri: 'test://cancellations' }).result();
      return (contents as { text: string }[])[0]?.text;
    };

    const first = session.start('tools/call', waiting);
    await (await first.stream()).nextNotification('notifications/progress');
    await session.notify('notifications/cancelled', { requestId: first.id });
    await until(async () => (await count()) === '1', 'the first abortion');

    const second = client.start('tools/call', waiting);
    await (await second.stream()).nextNotification('notifications/progress');
    second.disconnect();
    await until(async () => (await count()) === '2', 'the second abortion');
    await expect(count()).resolves.toBe('2');
  });

  it('ends at once with streams open and a call running, having printed one line (MOD-12)', async () => {
    const ending = new FixtureProcess(environment);
    const endingUrl = await ending.url();
    const session = await initialize(endingUrl);
    const standing = await session.openStream();
    const listening = await perRequest(endingUrl).listen({ toolsListChanged: true });
    const call = session.start('tools/call', {
      name: 'test_cancellation',
      arguments: { ms: 60_000 },
      _meta: { progressToken: 1 },
    });
    await (await call.stream()).nextNotification('notifications/progress');
    await expect(ending.stop()).resolves.toBe(0);
    await Promise.all([standing.ended, listening.ended]);
    expect(ending.output).toBe(`ready ${endingUrl}\n`);
  });
});
