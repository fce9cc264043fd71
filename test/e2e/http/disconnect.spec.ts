import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gates } from '../../support/applications/gate.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';

const GATE = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } as const;

/** They work on though their call is over. */
@Injectable()
class StubbornTools {
  readonly gates = new Gates();
  readonly aborted: string[] = [];
  readonly finished: string[] = [];

  @Tool({ description: 'Waits without a word', inputSchema: GATE })
  quiet({ gate }: { gate: string }, context: McpContext): Promise<string> {
    return this.wait(gate, context);
  }

  @Tool({ description: 'Reports and waits', inputSchema: GATE })
  report({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    return this.wait(gate, context);
  }

  private async wait(gate: string, { signal }: McpContext): Promise<string> {
    signal.addEventListener('abort', () => this.aborted.push(gate));
    await this.gates.at(gate).pass();
    this.finished.push(gate);
    return 'done';
  }
}

let counter = 0;

describe.each(ADAPTERS)('a client that goes away on %s', (adapter) => {
  let desk: RunningApp;
  let tools: StubbornTools;
  let gate: string;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { streams: { maxListeners: 1 } },
      providers: [StubbornTools],
    });
    tools = desk.app.get(StubbornTools);
  });

  beforeEach(() => {
    gate = `${adapter} ${(counter += 1)}`;
  });

  afterAll(() => desk.close());

  const params = (name: string) => ({ name, arguments: { gate }, _meta: { progressToken: 1 } });

  /** Waits until the server has noticed that nobody is connected. */
  async function allGone(): Promise<void> {
    const server = desk.app.getHttpServer() as Server;
    const count = promisify(server.getConnections.bind(server));
    await until(async () => (await count()) === 0, 'the server to be alone');
  }

  it.each(['quiet', 'report'])('cancels its call of %s on the stateless wire (HTTP-09)', async (name) => {
    const call = perRequest(desk.url).start('tools/call', params(name));
    await tools.gates.at(gate).reached();
    call.disconnect();
    await until(() => tools.aborted.includes(gate), 'an aborted handler');
    expect(tools.finished).not.toContain(gate);
  });

  it('cancels its call when it closes the stream on the stateless wire (HTTP-09)', async () => {
    const stream = await perRequest(desk.url).start('tools/call', params('report')).stream();
    await stream.nextNotification('notifications/progress');
    await stream.close();
    await until(() => tools.aborted.includes(gate), 'an aborted handler');
    expect(tools.finished).not.toContain(gate);
  });

  it('cancels only the call it belongs to (HTTP-09)', async () => {
    const first = perRequest(desk.url).start('tools/call', params('quiet'), { id: 'same' });
    await tools.gates.at(gate).reached();
    const other = `${gate} other`;
    const second = perRequest(desk.url).start(
      'tools/call',
      { name: 'quiet', arguments: { gate: other } },
      { id: 'same' },
    );
    await tools.gates.at(other).reached();
    first.disconnect();
    await until(() => tools.aborted.includes(gate), 'an aborted handler');

    tools.gates.at(other).open();
    expect((await second.answer()).result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(tools.aborted).not.toContain(other);
  });

  it('ends its subscription on the stateless wire (HTTP-09)', async () => {
    const stream = await perRequest(desk.url).listen({ toolsListChanged: true });
    await stream.close();
    const next = await until(
      () =>
        perRequest(desk.url)
          .listen({})
          .catch(() => undefined),
      'a place for another subscription',
    );
    expect(next.messages).toHaveLength(1);
    await next.close();
  });

  it.each(['quiet', 'report'])('does not cancel its call of %s in a session (HTTP-09)', async (name) => {
    const session = await initialize(desk.url);
    const call = session.start('tools/call', params(name));
    await tools.gates.at(gate).reached();
    call.disconnect();
    await allGone();
    tools.gates.at(gate).open();
    await until(() => tools.finished.includes(gate), 'a finished handler');
    expect(tools.aborted).not.toContain(gate);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('does not end its session when it closes the standing stream (HTTP-09)', async () => {
    const session = await initialize(desk.url);
    await (await session.openStream()).close();
    await allGone();
    expect((await session.request('ping')).result).toEqual({});
  });
});
