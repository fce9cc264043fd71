import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpModule, McpNotifier, ResourceTemplate, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

@Injectable()
class Tools {
  @Tool()
  greet(): string {
    return 'hello';
  }

  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    return 'over';
  }

  @Tool({ task: 'required' })
  nod(): string {
    return 'yes';
  }

  @ResourceTemplate({ uriTemplate: 'n:{name}', name: 'notes' })
  read(): string {
    return 'a note';
  }
}

const DEAR = Array.from({ length: 10_000 }, () => ({}));

describe.each(ADAPTERS)('The budget of memory, on %s', (adapter) => {
  let running: RunningApp;

  afterEach(() => running.close());

  async function boot(options: Partial<McpOptions> = {}): Promise<MemoryBudget> {
    const serverInfo = { name: 'desk', version: '1.0.0' };
    running = await bootApp({
      adapter,
      imports: [McpModule.forRoot({ serverInfo, tasks: true, ...options })],
      providers: [Tools],
    });
    return getParts(running.app).foundation.memory;
  }

  it('counts nothing any more once all is over (FAIR-02)', async () => {
    const budget = await boot({ tasks: { ttlMs: 1, workerTimeoutMs: 30 } });
    for (let round = 0; round < 20; round += 1) {
      const session = await initialize(running.url, { capabilities: { experimental: { x: { round } } } });
      await session.request('tools/call', { name: 'greet' });
      await session.request('resources/subscribe', { uri: `n:${round}` });
      const stream = await session.openStream();
      running.app.get(McpNotifier).resourceUpdated(`n:${round}`);
      await stream.nextNotification('notifications/resources/updated');
      await session.request('resources/subscribe', { uri: 'n:other' });
      await session.request('resources/unsubscribe', { uri: 'n:other' });
      const call = session.start('tools/call', { name: 'wait', _meta: { progressToken: 1 } });
      const answer = await call.stream();
      await answer.nextNotification('notifications/progress');
      const listening = await perRequest(running.url).listen({ resourceSubscriptions: ['n:1', 'n:2'] });
      expect((await publishedClient(running.url).call('nod')).status).toBe(200);
      expect(budget.used).toBeGreaterThan(0);
      await listening.close();
      await session.delete();
      await Promise.all([stream.close(), answer.close()]);
    }
    await until(
      () => budget.used === 0,
      () => `nothing to be counted, in the place of ${budget.used}`,
      10_000,
    );
    expect(budget.callers).toBe(0);
  }, 60_000);

  it('refuses what has no room with 429 and when to come back, and serves others (FAIR-02)', async () => {
    await boot({ memory: { maxBytes: 2_600_000, maxBytesPerAddress: 2_600_000 } });
    const hold = { name: 'wait', arguments: {}, _meta: { progressToken: 1 } };
    const session = await initialize(running.url);
    const calls = [];
    for (let count = 0; count < 40; count += 1) calls.push(session.start('tools/call', hold));
    const streams = await Promise.all(calls.map((call) => call.stream()));
    const dear = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'greet', arguments: { DEAR } },
    };
    const refused = await post(running.url, dear, session.headers);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    expect(refused.json).toMatchObject({ id: 1, error: { code: -32023, data: { retryAfterMs: 5000 } } });
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
  }, 30_000);

  it('refuses with 413 what never finds room (FAIR-02)', async () => {
    await boot({ memory: { maxBytes: 1_000_000 } });
    const session = await initialize(running.url);
    const dear = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'greet', arguments: { DEAR } },
    };
    const refused = await post(running.url, dear, session.headers);
    expect([refused.status, refused.json]).toMatchObject([413, { id: 1, error: { code: -32600 } }]);
  });

  it('ends the sessions of strangers that are idle for longest, and keeps the others (FAIR-02)', async () => {
    await boot({ memory: { maxBytes: 4_800_000, maxBytesPerAddress: 4_800_000 } });
    const large = { capabilities: { experimental: { x: { pad: 'x'.repeat(60_000) } } } };
    const first = await initialize(running.url, large);
    const used = await initialize(running.url, large);
    for (;;) if ((await initialize(running.url, large).catch(() => undefined)) === undefined) break;
    for (let count = 0; count < 100; count += 1) {
      await initialize(running.url);
      await used.request('tools/list');
    }
    expect((await used.request('tools/call', { name: 'greet' })).status).toBe(200);
    expect((await first.request('tools/call', { name: 'greet' })).status).toBe(404);
  }, 30_000);

  it.each([
    [{ bodyValues: 20 }, Array.from({ length: 600 }, () => 1), 413, 'limits.bodyValues'],
    [{ bodyDepth: 4 }, [[[[[[]]]]]], 400, 'limits.bodyDepth'],
  ])('bounds structure before it is parsed: %j (FAIR-02)', async (limits, given, status, option) => {
    await boot({ limits });
    const refused = await post(running.url, { given });
    expect(refused.status).toBe(status);
    expect(refused.json).toMatchObject({
      error: { code: -32600, message: expect.stringContaining(option) },
    });
  });
});
