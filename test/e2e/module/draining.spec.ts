import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import { Injectable, type NestApplicationOptions, type OnModuleDestroy } from '@nestjs/common';
import { McpStats } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { buildInitialize, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { expectSpread } from '../../support/clients/expect-spread.js';
import { until, within } from '../../support/until.js';

/** Long enough for whatever a test does meanwhile. */
const LONG_MS = 30_000;

/** From Nest 12 on a server can have the application wait with its destruction. */
const OUTLASTS = process.env['NEST'] !== '11';

/** What an application stands on, such as a pool of connections. */
@Injectable()
class Pool implements OnModuleDestroy {
  isOpen = true;

  onModuleDestroy(): void {
    this.isOpen = false;
  }
}

describe.each(ADAPTERS)('A server that drains, on %s', (adapter) => {
  let desk: RunningApp;
  let closing: Promise<void> | undefined;

  async function boot(shutdown: { drainMs: number; graceMs?: number }, nest: NestApplicationOptions = {}) {
    desk = await bootServer({
      adapter,
      options: { shutdown, sse: true },
      providers: [WaitingTools, Pool],
      nest: { forceCloseConnections: false, ...nest },
    });
    return desk.app.get(WaitingTools);
  }

  function close(): Promise<void> {
    closing = desk.close();
    return closing;
  }

  afterEach(async () => {
    await (closing ?? desk.close());
    closing = undefined;
  });

  it('serves requests while it says that it is not ready, and keeps no connection (RELAY-08, OPS-05)', async () => {
    await boot({ drainMs: 6000 });
    const session = await initialize(desk.url);
    const figures = desk.app.get(McpStats);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendOnKept = async () => {
      const { headers } = await sendHttp(desk.url, { json: buildInitialize(), agent });
      return headers.connection;
    };
    expect(figures.read().isDraining).toBe(false);
    expect(await sendOnKept()).toBe('keep-alive');
    void close();
    await until(() => figures.read().isDraining, 'the beginning of the end');
    const [before, fresh] = [await session.request('tools/list'), await initialize(desk.url)];
    expect(before).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(fresh.handshake.status).toBe(200);
    expect(await sendOnKept()).toBe('close');
    agent.destroy();
    expect(desk.app.get(Pool).isOpen).toBe(OUTLASTS);
  });

  it('serves requests until it has drained where the application refuses them once it closes (PLAT-02)', async () => {
    await boot({ drainMs: 3000 }, { return503OnClosing: true });
    const session = await initialize(desk.url);
    const figures = desk.app.get(McpStats);
    void close();
    await until(() => figures.read().isDraining, 'the beginning of the end');
    expect((await session.request('tools/list')).status).toBe(200);
  });

  it('sends clients elsewhere, who are told when to come back, and lets calls end (RELAY-08)', async () => {
    const tools = await boot({ drainMs: 10, graceMs: LONG_MS });
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    const subscription = await perRequest(desk.url).listen({ toolsListChanged: true });
    const sse = await SseClient.connect(`${desk.origin}/sse`);
    const wait = (gate: string) => ({ name: 'wait', arguments: { gate } });
    const calls = [
      session.start('tools/call', wait('session')).answer(),
      perRequest(desk.url).request('tools/call', wait('stateless')),
    ];
    const overSse = sse.request('tools/call', wait('sse'));
    const gates = ['session', 'stateless', 'sse'].map((name) => tools.gates.at(name));
    await Promise.all(gates.map((gate) => gate.reached()));
    void close();
    await within(Promise.all([stream.ended, subscription.ended]), 'the end of what waits for news');
    expectSpread(stream, 1000);
    expect(subscription.messages.at(-1)).toHaveProperty('result');
    const refused = await post(desk.url, buildInitialize());
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'retry-after': expect.stringMatching(/^[5-7]$/), connection: 'close' },
    });
    expect(sse.stream.isEnded).toBe(false);
    expect(desk.app.get(Pool).isOpen).toBe(OUTLASTS);
    for (const gate of gates) gate.open();
    const results = [...(await Promise.all(calls)).map(({ result }) => result), (await overSse)['result']];
    expect(results).toMatchObject(Array.from({ length: 3 }, () => ({ content: [{ type: 'text' }] })));
    await within(sse.stream.ended, 'the end of the stream of HTTP+SSE');
    expectSpread(sse.stream, 1000);
    await closing;
    expect(desk.app.get(Pool).isOpen).toBe(false);
  });

  it('tells clients to come back at different times (RELAY-15)', async () => {
    await boot({ drainMs: 10 });
    const open = async () => (await initialize(desk.url)).openStream();
    const streams = await Promise.all(Array.from({ length: 20 }, open));
    await close();
    await Promise.all(streams.map(({ ended }) => ended));
    for (const stream of streams) expectSpread(stream, 1000);
    expect(new Set(streams.map(({ events }) => events.at(-1)?.retry)).size).toBeGreaterThan(10);
  });

  it('takes answers of clients to what running calls ask, and no stream, once it sends clients away (RELAY-08)', async () => {
    const tools = await boot({ drainMs: 10, graceMs: LONG_MS });
    const session = await initialize(desk.url);
    const call = session.start('tools/call', { name: 'wait', arguments: { gate: 'answers' } });
    await tools.gates.at('answers').reached();
    const stream = await session.openStream();
    void close();
    await within(stream.ended, 'the end of the stream');
    await expect(session.openStream()).rejects.toThrow('503');
    await expect(session.post({ jsonrpc: '2.0', id: 'x', result: {} })).resolves.toMatchObject({
      status: 202,
    });
    tools.gates.at('answers').open();
    await expect(call.answer()).resolves.toHaveProperty('result');
  });

  it('gives up calls whose time is over (RELAY-08)', async () => {
    const tools = await boot({ drainMs: 10, graceMs: 10 });
    const call = perRequest(desk.url).request('tools/call', { name: 'ignore', arguments: { gate: 'never' } });
    await tools.gates.at('never').reached();
    await close();
    await expect(call).resolves.toMatchObject({ response: { error: { code: -32603 } } });
  });

  it('ends at once if nothing says how long it is to drain (MOD-12)', async () => {
    desk = await bootServer({ adapter, providers: [WaitingTools] });
    const call = perRequest(desk.url).request('tools/call', { name: 'ignore', arguments: { gate: 'never' } });
    await desk.app.get(WaitingTools).gates.at('never').reached();
    await close();
    await expect(call).resolves.toMatchObject({ response: { error: { code: -32603 } } });
  });
});
