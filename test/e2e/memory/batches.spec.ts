import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gate } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const MOST = 4_000_000;
const LONG = 'x'.repeat(300_000);

@Injectable()
class Tools {
  readonly gate = new Gate();

  @Tool()
  recite(): string {
    return LONG;
  }

  @Tool()
  async wait(): Promise<string> {
    await this.gate.pass();
    return 'over';
  }
}

const callMany = (name: string, count: number) =>
  Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } }));

interface BatchAnswer {
  readonly error?: { readonly code: number; readonly data: { readonly retryAfterSeconds: number } };
}

describe.each(ADAPTERS)('A batch, on %s', (adapter) => {
  let desk: RunningApp;
  let budget: MemoryBudget;

  afterEach(() => desk.close());

  async function connect(): Promise<SessionClient> {
    desk = await bootServer({
      adapter,
      options: { sse: true, memory: { maxBytes: MOST } },
      providers: [Tools],
    });
    budget = getParts(desk.app).foundation.memory;
    return initialize(desk.url, { version: '2025-03-26' });
  }

  it('counts for each of its requests while they run (FAIR-02)', async () => {
    const session = await connect();
    const account = budget.findAccount({});
    await until(() => account.passing === 0, 'nothing to run');
    const before = budget.used;
    const answering = session.post(callMany('wait', 100));
    await until(() => budget.used > before + 600_000, 'a hundred requests to be counted');
    desk.app.get(Tools).gate.open();
    expect((await answering).json).toHaveLength(100);
    await until(() => budget.used === before, 'nothing more to be counted');
  });

  it.each(['on its own connection', 'over HTTP+SSE'])(
    'has answers that find no room replaced by an error, and gives the others: %s (FAIR-02)',
    async (way) => {
      const session = await connect();
      const batch = callMany('recite', 20);
      const ask = async (): Promise<readonly BatchAnswer[]> => {
        if (way !== 'over HTTP+SSE') return (await session.post(batch)).json as BatchAnswer[];
        const client = await SseClient.connect(`${desk.origin}/sse`, { version: '2025-03-26' });
        await client.post(batch);
        const { data = '' } = await client.stream.next();
        return JSON.parse(data) as BatchAnswer[];
      };
      const answers = await ask();
      const refused = answers.filter(({ error }) => error !== undefined);
      expect(answers).toHaveLength(20);
      expect(refused.length).toBeGreaterThan(10);
      expect(refused.length).toBeLessThan(20);
      expect(refused[0]?.error).toMatchObject({ code: -32023, data: { retryAfterMs: 5000 } });
      expect((await session.request('tools/call', { name: 'recite' })).result).toBeDefined();
    },
  );
});
