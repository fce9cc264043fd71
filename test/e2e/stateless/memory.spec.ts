import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { measureHeap } from '../../support/heap.js';
import { bootStateless, type StatelessDesk } from './stateless-desk.js';

const WARM_UP = 5_000;
const REQUESTS = 10_000;
const AT_ONCE = 20;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** Ten thousand requests that are kept, with what they came by, are more; what client and runtime keep for themselves is less. */
const ALLOWED_GROWTH = 16 * 1_048_576;

describe.each(ADAPTERS)('ten thousand requests without a session on %s', (adapter) => {
  let desk: StatelessDesk;

  beforeAll(async () => {
    desk = await bootStateless(adapter);
  });

  afterAll(() => desk.close());

  async function send(count: number): Promise<void> {
    let sent = 0;
    const work = async (): Promise<void> => {
      while (sent < count) {
        const id = sent++;
        const isHandshake = id % 4 === 0;
        const clientInfo = { name: `client-${id}`, version: '1.0.0' };
        const params = isHandshake
          ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
          : { name: 'report', _meta: { progressToken: id } };
        const method = isHandshake ? 'initialize' : 'tools/call';
        const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
        await (await fetch(desk.url, { method: 'POST', headers: HEADERS, body })).text();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  it('leave nothing behind (STLS-01) (SAFE-03)', async () => {
    await send(WARM_UP);
    const before = measureHeap();
    await send(REQUESTS);
    expect(measureHeap() - before).toBeLessThan(ALLOWED_GROWTH);
    expect(desk.notifier.sessions).toEqual([]);
  }, 120_000);
});
