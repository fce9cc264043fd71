import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpExtensions } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

const EXTENSION = 'com.example/reports';

/** An extension that keeps something of each session in the process, and hears of it from clients. */
@Injectable()
class Reports implements OnModuleInit {
  readonly heard: string[] = [];

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    const hear = (name: string) => () => void this.heard.push(name);
    this.extensions.register({
      id: EXTENSION,
      specVersion: '2026-07-28',
      stability: 'experimental',
      notifications: [
        { method: 'notifications/reports/everywhere', everywhere: true, handle: hear('everywhere') },
        { method: 'notifications/reports/here', handle: hear('here') },
      ],
    });
  }
}

let counter = 0;

/** Has a call wait, as far as its first message. */
async function wait(session: SessionClient, gate: string): Promise<EventStream & { readonly call: unknown }> {
  const params = { name: 'wait', arguments: { gate }, _meta: { progressToken: gate } };
  const call = session.start('tools/call', params);
  const stream = await call.stream();
  await stream.nextNotification('notifications/progress');
  return Object.assign(stream, { call: call.id });
}

describe.each(ADAPTERS)('What a client tells another process than the one of its call, on %s', (adapter) => {
  let processes: Processes;

  beforeAll(async () => {
    processes = await startProcesses({ adapter, count: 3, providers: [WaitingTools, Reports] });
  });
  afterAll(() => processes.close());

  const connect = () =>
    initialize(processes.servers[0].url, { capabilities: { extensions: { [EXTENSION]: {} } } });
  const aborted = () => processes.servers[0].app.get(WaitingTools).aborted;
  const name = () => `${adapter} ${(counter += 1)}`;

  it('cancels the call (RELAY-05)', async () => {
    const session = await connect();
    const gate = name();
    const stream = await wait(session, gate);
    const elsewhere = sessionAt(processes.servers[1], session);
    await elsewhere.notify('notifications/cancelled', { requestId: stream.call, reason: 'enough' });
    await stream.ended;
    expect(aborted()).toContain(gate);
    expect(stream.messages.filter(({ id }) => id === stream.call)).toEqual([]);
  });

  it('cancels no call of another session, whose requests may have the same ids (RELAY-05)', async () => {
    const [session, stranger] = [await connect(), await connect()];
    const gate = name();
    const stream = await wait(session, gate);
    const cancellation = { requestId: stream.call };
    await sessionAt(processes.servers[1], stranger).notify('notifications/cancelled', cancellation);
    // What is told later arrives later.
    const [own, ownGate] = [await connect(), name()];
    const last = await wait(own, ownGate);
    await sessionAt(processes.servers[1], own).notify('notifications/cancelled', { requestId: last.call });
    await last.ended;
    expect(aborted()).not.toContain(gate);
    processes.servers[0].app.get(WaitingTools).gates.at(gate).open();
    await stream.ended;
    expect(stream.messages.at(-1)).toMatchObject({ id: stream.call, result: { content: [{ text: gate }] } });
  });

  it('cancels nothing by ids that nobody uses, however many and long they are (RELAY-05) (RELAY-07)', async () => {
    const session = await connect();
    const elsewhere = sessionAt(processes.servers[1], session);
    const before = processes.cluster.sent.length;
    await elsewhere.notify('notifications/cancelled', { requestId: 'x'.repeat(1_000_000) });
    await elsewhere.notify('notifications/cancelled', { requestId: { not: 'an id' } });
    expect(processes.cluster.sent).toHaveLength(before);
  });

  it('reaches an extension in each process that serves the session, if it asks for that (RELAY-05) (EXT-03)', async () => {
    const session = await connect();
    const [first, second, third] = processes.servers.map(({ app }) => app.get(Reports).heard);
    const elsewhere = sessionAt(processes.servers[1], session);
    await elsewhere.notify('notifications/reports/here');
    await elsewhere.notify('notifications/reports/everywhere');
    await until(() => first?.length === 1, 'the first');
    // The third process has never heard of the session.
    expect([first, second, third]).toEqual([['everywhere'], ['here', 'everywhere'], []]);
  });
});
