import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { authorize, PUBLISHED } from '../../support/applications/protected-desk.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { openHttp, sendHttp } from '../../support/clients/raw-http.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { until } from '../../support/until.js';

const GATED = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] };
const TOKENS = {
  full: { token: 'fixed-token-of-ada-with-all', subject: 'ada', scopes: ['desk:secret'] },
  lesser: { token: 'fixed-token-of-ada-with-less', subject: 'ada', scopes: [] },
};

@Injectable()
class WaitingTool {
  readonly gates = new Gates();
  readonly done: string[] = [];

  @Tool({ inputSchema: GATED })
  async work({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    await this.gates.at(gate).pass(context.signal);
    this.done.push(gate);
    return `done ${gate}`;
  }
}

@Injectable()
class SecretTool extends WaitingTool {
  @Tool({ inputSchema: GATED })
  @RequireScope('desk:secret')
  secret(given: { gate: string }, context: McpContext): Promise<string> {
    return this.work(given, context);
  }
}

const GONE = { error: { code: -32603, data: { reason: 'process-gone' } } };
const STOPPED = { error: { code: -32603, message: 'The server is shutting down: try again later' } };
const responses = (stream: EventStream) => stream.messages.filter(({ method }) => method === undefined);

/** A call whose answer has begun. */
interface Begun {
  readonly id: string | number;
  readonly stream: EventStream;
}

async function begin(session: SessionClient, gate = 'gate', name = 'work'): Promise<Begun> {
  const params = { name, arguments: { gate }, _meta: { progressToken: gate } };
  const call = session.start('tools/call', params);
  const stream = await call.stream();
  await stream.nextNotification('notifications/progress');
  return { id: call.id, stream };
}

describe.each(ADAPTERS)('A call whose process is gone, on %s', (adapter: AdapterName) => {
  let processes: Processes;
  let session: SessionClient;

  beforeEach(async () => {
    processes = await startProcesses({ adapter, providers: [WaitingTool], waits: { reportMs: 50 } });
    session = await initialize(processes.servers[0].url);
  });
  afterEach(() => processes.close());

  const elsewhere = () => sessionAt(processes.servers[1], session);

  it('is answered with an error that says so, to whoever comes back for it (RELAY-05)', async () => {
    const { id, stream } = await begin(session);
    await stream.close();
    processes.cluster.faultsOf(0).isDead = true;
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, ...GONE }]);
    const after = await elsewhere().openStream({ lastEventId: resumed.lastEventId });
    await after.ended;
    expect(after.messages).toEqual([]);
  });

  it('is answered while its client reads its stream by another process (RELAY-05)', async () => {
    const { id, stream } = await begin(session);
    await stream.close();
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    processes.cluster.faultsOf(0).isDead = true;
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, ...GONE }]);
  });

  it('is one of several requests that came together: each is answered (RELAY-05)', async () => {
    const batching = await initialize(processes.servers[0].url, { version: '2025-03-26' });
    const call = (id: number | string) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'work', arguments: { gate: 'gate' }, _meta: { progressToken: id } },
    });
    const headers = { ...batching.headers, accept: 'application/json, text/event-stream' };
    const stream = new EventStream(await openHttp(batching.url, { json: [call(7), call('eight')], headers }));
    await stream.nextNotification('notifications/progress');
    await stream.close();
    processes.cluster.faultsOf(0).isDead = true;
    const resumed = await sessionAt(processes.servers[1], batching).openStream({
      lastEventId: stream.lastEventId,
    });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([
      { id: 7, ...GONE },
      { id: 'eight', ...GONE },
    ]);
  });

  it('is answered under its id, also if that is too long for the ids of events (RELAY-05)', async () => {
    const id = `call ${'x'.repeat(2000)}`;
    const params = { name: 'work', arguments: { gate: 'gate' }, _meta: { progressToken: 't' } };
    const call = { jsonrpc: '2.0', id, method: 'tools/call', params };
    const headers = { ...session.headers, accept: 'application/json, text/event-stream' };
    const stream = new EventStream(await openHttp(session.url, { json: call, headers }));
    await stream.nextNotification('notifications/progress');
    await stream.close();
    processes.cluster.faultsOf(0).isDead = true;
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, ...GONE }]);
  });

  it('is kept waiting for while its process only stands still (RELAY-05) (RELAY-07)', async () => {
    const { stream } = await begin(session);
    await stream.close();
    const faults = processes.cluster.faultsOf(0);
    faults.isStopped = true;
    const headers = { ...session.headers, accept: 'text/event-stream', 'last-event-id': stream.lastEventId };
    const refused = await processes.impatiently(() => sendHttp(processes.servers[1].url, { headers }));
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, expect.any(String)]);
    faults.isStopped = false;
    processes.servers[0].app.get(WaitingTool).gates.at('gate').open();
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ result: { content: [{ text: 'done gate' }] } }]);
  });

  it('leaves its answer, if its process ended in order (RELAY-08)', async () => {
    const { id, stream } = await begin(session);
    await stream.close();
    const { gates, done } = processes.servers[0].app.get(WaitingTool);
    gates.at('gate').open();
    await until(() => done.length > 0, 'the end of one');
    await session.request('ping');
    await processes.servers[0].close();
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, result: { content: [{ text: 'done gate' }] } }]);
    expect(resumed.lastEventId?.split(':')[0]).toBe(stream.lastEventId?.split(':')[0]);
  });

  it('leaves the error by which it was ended, if it ran until its process ended (RELAY-08)', async () => {
    const { id, stream } = await begin(session);
    await stream.close();
    await processes.servers[0].close();
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, ...STOPPED }]);
  });

  it('tells its end to who reads it by another process, when its process ends (RELAY-08)', async () => {
    const { id, stream } = await begin(session);
    await stream.close();
    const resumed = await elsewhere().openStream({ lastEventId: stream.lastEventId });
    await processes.servers[0].close();
    await resumed.ended;
    expect(responses(resumed)).toMatchObject([{ id, ...STOPPED }]);
  });
});

describe('What a process left of a call that required a scope', () => {
  it('is for tokens that have it (RELAY-05) (FAIR-06)', async () => {
    const auth = { ...PUBLISHED, bearer: Object.values(TOKENS) };
    const processes = await startProcesses({ providers: [SecretTool], options: { auth } });
    const session = await initialize(processes.servers[0].url, { headers: authorize(TOKENS.full.token) });
    const { stream } = await begin(session, 'gate', 'secret');
    await stream.close();
    const lesser = sessionAt(processes.servers[1], session, authorize(TOKENS.lesser.token));
    const resume = () =>
      sendHttp(lesser.url, {
        headers: { ...lesser.headers, accept: 'text/event-stream', 'last-event-id': stream.lastEventId },
      });
    const [living] = [await resume()];
    await processes.servers[0].close();
    const left = await resume();
    const seen = ({ status, headers }: typeof left) => [status, headers['www-authenticate']];
    expect(seen(left)).toEqual(seen(living));
    expect(left.status).toBe(403);
    const full = await sessionAt(processes.servers[1], session).openStream({
      lastEventId: stream.lastEventId,
    });
    await full.ended;
    expect(responses(full)).toMatchObject([STOPPED]);
    await processes.close();
  });
});
