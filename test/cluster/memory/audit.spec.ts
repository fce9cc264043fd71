import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEvent } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { initialize } from '../../support/clients/json-rpc.js';
import { startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { bootTaskDesk } from '../../support/applications/task-desk.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { until } from '../../support/until.js';
import { DeskHandlers, recordAudit } from '../../e2e/audit/audited-desk.js';

describe('The audit of a server of several processes', () => {
  let cluster: RunningCluster;
  let audits: ReturnType<typeof recordAudit>[];

  beforeEach(async () => {
    cluster = await startCluster({ providers: [DeskHandlers] });
    audits = cluster.processes.map((process) => recordAudit(process));
  });

  afterEach(() => cluster.close());

  it('has each event in the process that did it, once (OPS-03)', async () => {
    const [one, two, three] = cluster.processes;
    const session = await initialize(one.url);
    await session.at(two.url).request('tools/call', { name: 'echo', arguments: { text: 'a' } });
    await session.at(three.url).delete();
    await audits[2]?.find({ type: 'session_ended' });
    // Every process has heard of the end once it refuses the session.
    await until(async () => (await session.at(one.url).request('ping')).status === 404, 'the end in one');
    await until(async () => (await session.at(two.url).request('ping')).status === 404, 'the end in two');
    const all: readonly AuditEvent[] = audits.flatMap(({ events }) => events);
    const told = all.filter(({ outcome, type }) => outcome === 'ok' && type !== 'notification');
    expect(told.map(({ process, type, method }) => [process, type, method])).toEqual([
      [one.member, 'request', 'initialize'],
      [one.member, 'session_begun', undefined],
      [two.member, 'request', 'tools/call'],
      [three.member, 'session_ended', undefined],
    ]);
    expect(new Set(told.map(({ session: name }) => name)).size).toBe(1);
  });
});

describe('The audit of a task that another process cancels', () => {
  it('has its end in the process that runs it, once (OPS-03)', async () => {
    const cluster = memoryCluster();
    const options = { cluster, secret: 'the secret that all processes were given' };
    const [one, two] = [await bootTaskDesk(options), await bootTaskDesk(options)];
    const [first, second] = [recordAudit(one), recordAudit(two)];
    const { taskId } = await publishedClient(one.url).create('wait', { name: 'gate' });
    await until(() => one.tools.calls.get('gate') === 1, 'the run');
    await publishedClient(two.url).send('tasks/cancel', { taskId });
    expect(await first.find({ type: 'task' })).toMatchObject({ outcome: 'cancelled', target: 'wait' });
    expect(await second.find({ method: 'tasks/cancel' })).toMatchObject({ outcome: 'ok' });
    expect([...first.events, ...second.events].filter(({ type }) => type === 'task')).toHaveLength(1);
    await one.close();
    await two.close();
  });
});
