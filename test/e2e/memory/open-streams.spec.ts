import { afterEach, describe, expect, it } from '@jest/globals';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

/** Headers that a stream keeps as long as it is open. */
const PADDING = { 'x-padding': 'x'.repeat(10_000) };
const STREAM_BYTES = 16_384 + 10_000;

describe.each(ADAPTERS)('An open stream, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(maxBytes: number): Promise<MemoryBudget> {
    desk = await bootServer({ adapter, options: { sse: true, memory: { maxBytes } } });
    return getParts(desk.app).foundation.memory;
  }

  const openSse = () =>
    openHttp(`${desk.origin}/sse`, { headers: { accept: 'text/event-stream', ...PADDING } });

  it('of HTTP+SSE counts with its headers until it is over (FAIR-02)', async () => {
    const budget = await boot(1_000_000);
    const stream = await openSse();
    expect(budget.used).toBeGreaterThanOrEqual(STREAM_BYTES);
    stream.destroy();
    await until(() => budget.used === 0, 'nothing to be counted');
    expect(budget.used).toBe(0);
  });

  it('of a session counts with its headers until it is over (FAIR-02)', async () => {
    const budget = await boot(1_000_000);
    const session = await initialize(desk.url);
    const before = budget.used;
    const headers = { ...session.headers, accept: 'text/event-stream', ...PADDING };
    const stream = await openHttp(desk.url, { headers });
    expect(budget.used).toBeGreaterThanOrEqual(before + STREAM_BYTES);
    stream.destroy();
    await until(() => budget.used === before, 'nothing to be counted');
    expect(budget.used).toBe(before);
  });

  it('makes room for others, the oldest of a stranger first (FAIR-02)', async () => {
    const budget = await boot(10_000_000);
    const streams = [];
    for (let count = 0; count * STREAM_BYTES < 11_000_000; count += 1) streams.push(await openSse());
    expect(streams.map(({ statusCode }) => statusCode)).toEqual(streams.map(() => 200));
    const [oldest] = streams;
    oldest?.resume();
    await until(() => oldest?.readableEnded === true, 'the end of the oldest stream');
    expect(budget.used).toBeLessThan(10_000_000);
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(200);
    for (const stream of streams) stream.destroy();
  });
});
