import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../support/applications/boot.js';
import { measureHeap } from '../../support/heap.js';
import { sendBytes } from '../../support/clients/raw-http.js';
import { formatPost } from '../../support/clients/request-text.js';
import { bootStateless, type StatelessDesk } from './stateless-desk.js';

const WARM_UP = 5_000;
const REQUESTS = 10_000;
const CONNECTIONS = 20;
/** Ten thousand requests that are kept, with what they came by, are more; what client and runtime keep for themselves is less. */
const ALLOWED_GROWTH = 16 * 1_048_576;

describe.each(ADAPTERS)('ten thousand requests without a session on %s', (adapter) => {
  let desk: StatelessDesk;

  beforeAll(async () => {
    desk = await bootStateless(adapter);
  });

  afterAll(() => desk.close());

  /** Sends so many requests over some connections, none of which waits for the answer to the one before. */
  async function send(count: number): Promise<void> {
    const { port } = new URL(desk.url);
    const share = Array.from({ length: count / CONNECTIONS - 1 }, (_, id) => formatRequest(id));
    share.push(formatRequest(share.length, 'close'));
    const answers = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => sendBytes(Number(port), share.join(''))),
    );
    for (const text of answers) expect(text.split('HTTP/1.1 200 OK')).toHaveLength(share.length + 1);
  }

  it('leave nothing behind (STLS-01) (SAFE-03)', async () => {
    await send(WARM_UP);
    const before = measureHeap();
    await send(REQUESTS);
    expect(measureHeap() - before).toBeLessThan(ALLOWED_GROWTH);
    expect(desk.notifier.sessions).toEqual([]);
  }, 120_000);
});

function formatRequest(id: number, connection = 'keep-alive'): string {
  const isHandshake = id % 4 === 0;
  const clientInfo = { name: `client-${id}`, version: '1.0.0' };
  const params = isHandshake
    ? { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    : { name: 'report', _meta: { progressToken: id } };
  const method = isHandshake ? 'initialize' : 'tools/call';
  const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  return formatPost(body, { connection });
}
