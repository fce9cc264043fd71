import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ADAPTERS } from '../../support/applications/boot.js';
import { WaitingTools } from '../../support/applications/waiting-tools.js';
import { initialize, post, type SessionClient } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { moveTo, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';

/** Of the shape of real ones. */
const INVENTED = '0f3a5c9b1d2e0f3a5c9b1d2e';
const MANY = 20;

describe.each(ADAPTERS)('An id that names a process, on %s', (adapter) => {
  let cluster: RunningCluster;
  let session: SessionClient;

  beforeEach(async () => {
    cluster = await startCluster({ adapter, providers: [WaitingTools], options: { sse: true } });
    session = moveTo(cluster.processes[1], await initialize(cluster.processes[0].url));
    await session.request('ping');
  });
  afterEach(() => cluster.close());

  const commands = () => cluster.processes[1].watched.commands;
  const answer = (id: string) => session.post({ jsonrpc: '2.0', id, result: {} });
  const resume = (lastEventId: string) =>
    sendHttp(session.url, {
      headers: { ...session.headers, accept: 'text/event-stream', 'last-event-id': lastEventId },
    });

  it('has nobody look for one that was invented, as the id of a question (FAIR-03) (RELAY-05)', async () => {
    const before = commands().length;
    const posted = await Promise.all(
      Array.from({ length: MANY }, (_, index) => answer(`${INVENTED}-abcdefgh-${index}`)),
    );
    expect(posted.map(({ status }) => status)).toEqual(posted.map(() => 202));
    const progress = { progressToken: `${INVENTED}-abcdefgh-1`, progress: 1 };
    expect((await session.notify('notifications/progress', progress)).status).toBe(202);
    expect(commands().slice(before)).toEqual([]);
  });

  it('has nobody look for one that was invented, as the id of an event (FAIR-03) (RELAY-05)', async () => {
    const before = commands().length;
    const { status } = await resume(`${INVENTED}.1.NA:1`);
    expect(status).toBe(400);
    expect(commands().slice(before)).toEqual([]);
  });

  it('has nobody look for one that was invented, as the id of a stream of HTTP+SSE (FAIR-03) (RELAY-05)', async () => {
    const [one, other] = cluster.processes;
    const client = await SseClient.open(`${one.origin}/sse`);
    const real = client.endpoint.replace(one.origin, other.origin);
    const before = commands().length;
    const url = real.replace(/sessionId=[^&]*/, `sessionId=${INVENTED}.${randomUUID()}`);
    const { status } = await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' });
    await client.stream.close();
    expect(status).toBe(404);
    expect(commands().slice(before)).toEqual([]);
  });

  it('is looked for once, however many ask, if the process is gone (FAIR-03) (RELAY-05)', async () => {
    const { member } = cluster.processes[0];
    await cluster.processes[0].close();
    const before = commands().length;
    const ask = (index: number) => answer(`${member}-abcdefgh-${index}`);
    const first = await Promise.all(Array.from({ length: MANY }, (_, index) => ask(index)));
    const looked = commands().length;
    const then = await Promise.all(Array.from({ length: MANY }, (_, index) => ask(index)));
    expect([...first, ...then].every(({ status }) => status === 202)).toBe(true);
    // Each is sent once, and one looks for all.
    expect(looked - before).toBeLessThan(2 * MANY);
    expect(commands()).toHaveLength(looked);
  });
});
