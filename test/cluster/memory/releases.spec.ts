import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpNotifier, type Cluster } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { bootRelease, type Release } from '../../support/applications/released-desk.js';
import type { RunningApp } from '../../support/applications/boot.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { listChanges } from '../../support/clients/list-changes.js';
import { moveTo } from '../../support/cluster/start-cluster.js';
import { PATIENCE_MS, until } from '../../support/until.js';

/** Longer than processes take to notice that another one is gone. */
const LONG_MS = 4 * PATIENCE_MS;

describe('A session in a server of two releases', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let cluster: Cluster;

  async function boot(release: Release): Promise<RunningApp> {
    const app = await bootRelease(release, { cluster });
    ends.push(() => app.close());
    return app;
  }

  async function open(session: SessionClient): Promise<EventStream> {
    const stream = await session.openStream();
    ends.push(() => stream.close());
    return stream;
  }

  /** Returns which lists a stream told of until something came that was said at the end. */
  async function readChanges({ app }: RunningApp, stream: EventStream): Promise<readonly string[]> {
    app.get(McpNotifier).log('error', 'the end');
    await stream.nextNotification('notifications/message');
    return listChanges(stream);
  }

  const untilChanges = (stream: EventStream, count: number) =>
    until(
      () => listChanges(stream).length >= count,
      () => `${count} changes: ${listChanges(stream).join()}`,
      LONG_MS,
    );

  beforeEach(() => {
    cluster = memoryCluster();
  });

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it('hears at once, where its stream is, of the lists of the process that its request reaches (RELAY-16)', async () => {
    const [former, next] = [await boot('former'), await boot('with other prompts and resources')];
    const session = await initialize(former.url);
    const stream = await open(session);
    await moveTo(next, session).request('ping');
    await untilChanges(stream, 2);
    expect(await readChanges(next, stream)).toEqual(['prompts', 'resources']);
  });

  it('hears of them where it opens its stream afterwards (RELAY-16)', async () => {
    const [former, next] = [await boot('former'), await boot('next')];
    const session = await initialize(former.url);
    await former.close();
    const moved = moveTo(next, session);
    await moved.request('tools/list');
    const stream = await open(moved);
    await untilChanges(stream, 1);
    expect(await readChanges(next, stream)).toEqual(['tools']);
  });

  it('hears of each list once, though its requests go to four processes in turn (RELAY-16)', async () => {
    const processes = [await boot('former'), await boot('next'), await boot('former'), await boot('next')];
    const [first] = processes as [RunningApp];
    const session = await initialize(first.url);
    const stream = await open(session);
    for (let round = 0; round < 5; round += 1) {
      for (const process of processes) {
        const { result } = await moveTo(process, session).request('tools/list');
        expect(result).toBeDefined();
      }
    }
    await untilChanges(stream, 1);
    expect(await readChanges(first, stream)).toEqual(['tools']);
  });

  it('hears nothing if all processes list the same (RELAY-16)', async () => {
    const [one, two] = [await boot('next'), await boot('next')];
    const session = await initialize(one.url);
    const stream = await open(session);
    await moveTo(two, session).request('tools/list');
    expect(await readChanges(two, stream)).toEqual([]);
  });

  it('hears again what it has read of the former release, when that is gone (RELAY-16)', async () => {
    const [former, next] = [await boot('former'), await boot('next')];
    const session = await initialize(former.url);
    const moved = moveTo(next, session);
    const stream = await open(moved);
    await untilChanges(stream, 1);
    await session.request('tools/list');
    expect(await readChanges(next, stream)).toEqual(['tools']);
    await former.close();
    await untilChanges(stream, 2);
    await moved.request('tools/list');
    expect(await readChanges(next, stream)).toEqual(['tools', 'tools']);
  }, 30_000);

  it('hears of the lists of the former release, if the application goes back to it (RELAY-16)', async () => {
    const former = await boot('former');
    const session = await initialize(former.url);
    const next = await boot('next');
    const stream = await open(moveTo(next, session));
    await untilChanges(stream, 1);
    await former.close();
    const again = await boot('former');
    await stream.close();
    await next.close();
    const other = await open(moveTo(again, session));
    await untilChanges(other, 1);
    expect(await readChanges(again, other)).toEqual(['tools']);
  });
});
