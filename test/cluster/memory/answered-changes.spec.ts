import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpSessions, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS } from '../../support/applications/boot.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { textOfCall } from '../../support/clients/tools.js';
import { sessionAt, startProcesses, type Processes } from '../../support/cluster/processes.js';
import { moveTo, startCluster, type RunningCluster } from '../../support/cluster/start-cluster.js';
import { ANSWER_MS, until } from '../../support/until.js';

/** How long whatever one process tells is on its way to another: longer than the client needs for its next request. */
const ON_THE_WAY_MS = 100;

/** A machine that does much else gives no process up. */
const PATIENCE = { acknowledgedMs: ANSWER_MS };

@Injectable()
class LoggingTool {
  @Tool()
  log(_: object, context: McpContext): string {
    context.log('info', 'logged');
    return 'done';
  }
}

@Injectable()
class RootTool {
  @Tool()
  async roots(_: object, context: McpContext): Promise<string> {
    return (await context.listRoots()).map(({ uri }) => uri).join();
  }
}

/** Calls a tool that lists the roots, and gives this one when it is asked for them. */
async function listRoots(session: SessionClient, uri: string): Promise<string> {
  const stream = await session.start('tools/call', { name: 'roots' }).stream();
  const { id } = await stream.nextMessage(({ method }) => method === 'roots/list');
  await session.post({ jsonrpc: '2.0', id, result: { roots: [{ uri }] } });
  const { result } = await stream.nextMessage(({ method }) => method === undefined);
  return textOfCall(result);
}

const LISTED = { status: 200 };
const UNKNOWN = { status: 404 };

describe.each(ADAPTERS)('What a process has answered, on %s', (adapter) => {
  let cluster: RunningCluster;
  let session: SessionClient;
  let elsewhere: SessionClient;

  beforeEach(async () => {
    cluster = await startCluster({ adapter, providers: [LoggingTool, RootTool], waits: PATIENCE });
    const [one, two] = cluster.processes;
    session = await initialize(one.url, { capabilities: { roots: { listChanged: true } } });
    elsewhere = moveTo(two, session);
    await elsewhere.request('tools/list');
    cluster.engine.delayMs = ON_THE_WAY_MS;
  });

  afterEach(() => {
    cluster.engine.delayMs = 0;
    return cluster.close();
  });

  it('holds in all processes at once if a client ends its session (RELAY-06)', async () => {
    expect(await session.delete()).toMatchObject({ status: 204 });
    expect(await elsewhere.request('tools/list')).toMatchObject(UNKNOWN);
  });

  it('holds in all processes at once if the application ends a session (RELAY-06)', async () => {
    const [one] = cluster.processes;
    await one.app.get(McpSessions).end(session.id);
    expect(await elsewhere.request('tools/list')).toMatchObject(UNKNOWN);
  });

  it('holds in all processes at once if a third process ends a session (RELAY-06)', async () => {
    const [, , three] = cluster.processes;
    await three.app.get(McpSessions).end(session.id);
    expect(await session.request('tools/list')).toMatchObject(UNKNOWN);
    expect(await elsewhere.request('tools/list')).toMatchObject(UNKNOWN);
  });

  it('holds in all processes at once if a client sets its log level (RELAY-01)', async () => {
    const call = () => elsewhere.request('tools/call', { name: 'log' });
    expect((await call()).notifications).toHaveLength(1);
    await session.request('logging/setLevel', { level: 'error' });
    expect((await call()).notifications).toHaveLength(0);
  });

  it('holds in all processes at once if a client says that its roots have changed (NOTE-07) (RELAY-01)', async () => {
    await expect(listRoots(elsewhere, 'file:///before')).resolves.toBe('file:///before');
    await session.notify('notifications/roots/list_changed');
    await expect(listRoots(elsewhere, 'file:///after')).resolves.toBe('file:///after');
  });
});

describe.each(ADAPTERS)('A process that stands still, on %s', (adapter) => {
  let processes: Processes;

  afterEach(() => processes.close());

  it('keeps no client from ending its session, and learns of it (RELAY-07)', async () => {
    processes = await startProcesses({ adapter, providers: [LoggingTool], waits: { acknowledgedMs: 50 } });
    const [one, two] = processes.servers;
    const session = await initialize(one.url);
    const elsewhere = sessionAt(two, session);
    expect(await elsewhere.request('tools/list')).toMatchObject(LISTED);
    processes.cluster.faultsOf(1).isStopped = true;
    expect(await session.delete()).toMatchObject({ status: 204 });
    await until(
      async () => (await elsewhere.request('tools/list')).status === 404,
      'the end of the session elsewhere',
    );
  });
});
