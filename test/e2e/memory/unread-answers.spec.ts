import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import type { MemoryBudget } from '../../../lib/server/memory/memory-budget.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { openHttp } from '../../support/clients/raw-http.js';
import { until, within } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

/** More than what systems take for a connection on loopback. */
const LONG = 40_000_000;
const COUNTED = 5_000_000;

@Injectable()
class Tools {
  @Tool()
  greet(): string {
    return 'hello';
  }

  @Tool()
  recite(_arguments: object, context: McpContext): string {
    context.progress(1);
    return 'x'.repeat(LONG);
  }

  /** Sends much, and does not end. */
  @Tool()
  async complain(_arguments: object, context: McpContext): Promise<string> {
    context.log('error', 'x'.repeat(LONG));
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
    return 'over';
  }
}

const buildCall = (name: string) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: {}, _meta: { progressToken: 1 } },
});

describe.each(ADAPTERS)('An answer that nobody reads, on %s', (adapter) => {
  let desk: RunningApp;
  let budget: MemoryBudget;

  afterEach(() => desk.close());

  async function connect(maxBytes: number): Promise<SessionClient> {
    desk = await bootServer({ adapter, options: { memory: { maxBytes } }, providers: [Tools] });
    budget = getParts(desk.app).foundation.memory;
    return initialize(desk.url);
  }

  const ask = (session: SessionClient, accept: string, name = 'recite') =>
    openHttp(desk.url, { json: buildCall(name), headers: { ...session.headers, accept } });

  it('counts until its client is gone, and others are told when to come back (FAIR-02)', async () => {
    const session = await connect(4_000_000);
    const answer = await ask(session, 'application/json');
    await until(() => budget.used > COUNTED, 'the answer to be counted');
    const refused = await session.request('tools/call', { name: 'greet' });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5']);
    answer.destroy();
    await until(() => budget.used < COUNTED, 'nothing more to wait');
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
  });

  it('counts no more once it was read, though its connection is kept (FAIR-02)', async () => {
    const session = await connect(2 * LONG);
    const before = budget.used;
    const answer = await ask(session, 'application/json');
    await until(() => budget.used > COUNTED, 'the answer to be counted');
    let bytes = 0;
    for await (const chunk of answer) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(LONG);
    await until(() => budget.used <= before, 'nothing to be counted');
  });

  it('counts on a stream until it was read (FAIR-02)', async () => {
    const session = await connect(2 * LONG);
    const answer = await ask(session, 'text/event-stream');
    await until(() => budget.used > COUNTED, 'the answer to be counted');
    answer.resume();
    await within(once(answer, 'end'), 'the end of the stream');
    await until(() => budget.used < COUNTED, 'nothing to be counted');
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
  });

  it('counts at the end of a stream even if there is no room for it (FAIR-02)', async () => {
    const session = await connect(4_000_000);
    const answer = await ask(session, 'text/event-stream');
    await until(() => budget.used > COUNTED, 'the answer to be counted');
    answer.destroy();
    await until(() => budget.used < COUNTED, 'nothing more to wait');
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
  });

  it('ends a stream on which there is no room for what comes before it (FAIR-02)', async () => {
    const session = await connect(4_000_000);
    const answer = await ask(session, 'text/event-stream', 'complain');
    const closed = new Promise((resolve) => answer.once('close', resolve));
    answer.on('error', () => undefined).resume();
    await within(closed, 'the end of the connection');
    expect(answer.complete).toBe(false);
    expect((await session.request('tools/call', { name: 'greet' })).status).toBe(200);
  });
});
