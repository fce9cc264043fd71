import { afterEach, describe, expect, it } from '@jest/globals';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { post } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { getParts } from '../../support/applications/get-parts.js';

const MOST = 1_000_000;
/** It comes in many pieces. */
const LARGE = { jsonrpc: '2.0', id: 1, method: 'ping', params: { pad: 'x'.repeat(2 * MOST) } };

describe.each(ADAPTERS)('A body that grows while it comes, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (): Promise<MemoryBudget> => {
    desk = await bootServer({ adapter, options: { sse: true, memory: { maxBytes: MOST } } });
    return getParts(desk.app).foundation.memory;
  };

  it('is refused with 413 if it can never find room (FAIR-02)', async () => {
    const budget = await boot();
    const { status, headers, json } = await post(desk.url, LARGE);
    expect([status, headers['retry-after'], json]).toMatchObject([
      413,
      undefined,
      { error: { code: -32600 } },
    ]);
    const client = await SseClient.connect(`${desk.origin}/sse`);
    expect((await client.post(LARGE)).status).toBe(413);
    expect((await client.request('ping')).result).toEqual({});
    expect(budget.findAccount({}).passing).toBe(0);
  });

  it('is refused with 429 if others keep the room from it (FAIR-02)', async () => {
    const budget = await boot();
    const hold = budget.hold({}, 900_000, true);
    const body = { ...LARGE, params: { pad: 'x'.repeat(500_000) } };
    const refused = await post(desk.url, body);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    hold.release();
    const client = await SseClient.connect(`${desk.origin}/sse`);
    expect((await client.post(body)).status).toBe(202);
  });
});
