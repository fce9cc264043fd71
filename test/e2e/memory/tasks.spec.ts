import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { z } from 'zod';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import type { Message } from '../../support/clients/message.js';
import { publishedClient, serviceClient } from '../../support/clients/task-wires.js';
import { until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

const HALF_BYTES = 600_000;
const PAD = 'x'.repeat(HALF_BYTES);

@Injectable()
class EchoTools {
  readonly gates = new Gates();

  @Tool({ task: 'required', inputSchema: z.object({ pad: z.string() }) })
  echo({ pad }: { pad: string }): string {
    return pad.toUpperCase();
  }

  @Tool({ task: 'required', inputSchema: z.object({ gate: z.string(), pad: z.string() }) })
  async wait({ gate }: { gate: string }, { signal }: McpContext): Promise<string> {
    await this.gates.at(gate).pass(signal);
    return gate;
  }
}

describe.each(ADAPTERS)('The memory of tasks, on %s', (adapter) => {
  let desk: RunningApp;
  let budget: MemoryBudget;
  let gates: Gates;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions>): Promise<void> {
    desk = await bootServer({ adapter, options: { tasks: true, ...options }, providers: [EchoTools] });
    budget = getParts(desk.app).foundation.memory;
    gates = desk.app.get(EchoTools).gates;
  }

  it('is that of the result as soon as that of its call is not needed any more (FAIR-02) (TASK-02)', async () => {
    await boot({ memory: { maxBytes: 1_000_000, maxBytesPerAddress: 1_000_000 } });
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('echo', { pad: PAD });
    const { status, result } = await client.reach(taskId);
    expect([status, JSON.stringify(result).includes(PAD.toUpperCase())]).toEqual(['completed', true]);
  });

  it('is counted for a batch until the last of its tasks is over (FAIR-02) (CORE-09)', async () => {
    await boot({});
    const { session, reach } = await serviceClient(desk.url, { version: '2025-03-26' });
    const create = (id: number, gate: string, pad: string) => {
      const params = { name: 'wait', arguments: { gate, pad } };
      return { jsonrpc: '2.0', id, method: 'tools/call', params };
    };
    const { json } = await session.post([create(1, 'quick', ''), create(2, 'slow', PAD)]);
    const created = new Map((json as Message[]).map(({ id, result }) => [id, result?.['taskId']]));
    await gates.at('slow').reached();
    gates.at('quick').open();
    await reach(created.get(1), 'completed');
    expect(budget.used).toBeGreaterThan(HALF_BYTES);
    gates.at('slow').open();
    await reach(created.get(2), 'completed');
    await until(() => budget.used < HALF_BYTES, 'the batch to be over');
  });
});
