import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cluster } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootRelease, SECRET, type Release } from '../../support/applications/released-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, type SessionClient } from '../../support/clients/json-rpc.js';
import { listChanges } from '../../support/clients/list-changes.js';
import { FaultyCluster } from '../../support/cluster/faulty-cluster.js';
import { setWaits } from '../../support/cluster/set-waits.js';
import { moveTo, settle } from '../../support/cluster/start-cluster.js';
import { WatchedCluster } from '../../support/cluster/watched-cluster.js';
import { PATIENCE_MS, until } from '../../support/until.js';
import { getParts } from '../../support/applications/get-parts.js';

/** Longer than processes take to notice that another one is gone. */
const LONG_MS = 4 * PATIENCE_MS;
const SLOW = 3 * LONG_MS;

describe('A session in a server of two releases that learn late of one another', () => {
  const ends: (() => Promise<unknown>)[] = [];
  let engine: ReturnType<typeof memoryCluster>;
  /** The engine as the process of the former release has it that opens the session, and as that of the next one has it. */
  let ofFormer: WatchedCluster;
  let ofNext: FaultyCluster;
  let former: RunningApp;
  let next: RunningApp;
  /** The session at the process that opened it, and at the one of the next release. */
  let session: SessionClient;
  let moved: SessionClient;
  /** Its stream is at another process of the former release. */
  let stream: EventStream;

  async function boot(release: Release, cluster: Cluster): Promise<RunningApp> {
    const app = await bootRelease(release, { cluster, pageSize: 1 });
    ends.push(() => app.close());
    // Whoever waits for others waits for as long as the test lets them.
    setWaits(app, { acknowledgedMs: SLOW, answerMs: SLOW });
    return app;
  }

  async function start(release: Release): Promise<void> {
    former = await boot('former', ofFormer);
    next = await boot(release, ofNext);
    session = await initialize(former.url);
    moved = moveTo(next, session);
    stream = await moveTo(await boot('former', engine), session).openStream();
    ends.push(() => stream.close());
  }

  const untilChanges = (count: number) =>
    until(
      () => listChanges(stream).length >= count,
      () => `${count} changes: ${listChanges(stream).join()}`,
      LONG_MS,
    );

  /** Waits until each process was told what the others published. */
  async function settleAll(): Promise<void> {
    const position = ({ app }: RunningApp) => getParts(app).foundation.bus.position?.number;
    await settle(former);
    await settle(next);
    await until(() => position(former) === position(next), 'the processes to be told');
  }

  beforeEach(() => {
    engine = memoryCluster();
    ofFormer = new WatchedCluster(engine);
    ofNext = new FaultyCluster(engine, SECRET);
  });

  afterEach(async () => {
    ofFormer.releaseDeliveries();
    engine.heal();
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it(
    'hears of the lists of one when every process knows that there are two (RELAY-16)',
    async () => {
      await start('next');
      ofFormer.holdDeliveries();
      await moved.request('ping');
      const isAsked = () => ofNext.sent.some((text) => text.includes('cluster.heard'));
      await until(() => isAsked() || listChanges(stream).length > 0, 'the next release to tell');
      expect(listChanges(stream)).toEqual([]);
      ofFormer.releaseDeliveries();
      await untilChanges(1);
      await session.request('tools/list');
      await former.close();
      await untilChanges(2);
      expect(listChanges(stream)).toEqual(['tools', 'tools']);
    },
    SLOW,
  );

  it(
    'hears again what it read last of a process that knew only of an earlier turn, when that is gone (RELAY-16)',
    async () => {
      await start('next');
      await moved.request('ping');
      await untilChanges(1);
      await session.request('tools/list');
      await settleAll();
      ofFormer.holdDeliveries();
      await moved.request('tools/list');
      await session.request('tools/list');
      ofFormer.releaseDeliveries();
      await former.close();
      await untilChanges(2);
      expect(listChanges(stream)).toEqual(['tools', 'tools']);
    },
    SLOW,
  );

  it(
    'hears again of each list by itself: resources are not read with their templates, nor prompts (RELAY-16)',
    async () => {
      await start('with other prompts and resources');
      await moved.request('ping');
      await untilChanges(2);
      await session.request('resources/list');
      await session.request('prompts/list');
      await moved.request('resources/templates/list');
      await moved.request('prompts/list');
      await former.close();
      await untilChanges(3);
      await moved.request('resources/list');
      expect(listChanges(stream)).toEqual(['prompts', 'resources', 'resources']);
    },
    SLOW,
  );

  it(
    'hears again of a list whose pages it read of both (RELAY-16)',
    async () => {
      await start('with other prompts and resources');
      await moved.request('ping');
      await untilChanges(2);
      const { result } = await moved.request('prompts/list');
      await session.request('prompts/list', { cursor: result?.['nextCursor'] as string });
      await moved.request('prompts/list', { cursor: result?.['nextCursor'] as string });
      await former.close();
      await untilChanges(3);
      expect(listChanges(stream)).toEqual(['prompts', 'resources', 'prompts']);
    },
    SLOW,
  );

  /** Has the client read a list of the former process that does not reach the engine meanwhile. */
  async function listOutOfReach(): Promise<void> {
    await start('next');
    await moved.request('ping');
    await untilChanges(1);
    await settleAll();
    const bus = getParts(former.app).foundation.bus;
    engine.cut(bus.member);
    expect(await session.request('tools/list')).toMatchObject({ result: { tools: [{ name: 'old' }] } });
    engine.heal();
    await until(() => bus.isConnected, 'the engine');
  }

  it(
    'hears again what it read of a process that could note it only later (RELAY-16)',
    async () => {
      await listOutOfReach();
      const before = ofFormer.commands.length;
      await until(() => ofFormer.commands.slice(before).includes('swap'), 'the note', LONG_MS);
      await former.close();
      await untilChanges(2);
      expect(listChanges(stream)).toEqual(['tools', 'tools']);
    },
    SLOW,
  );

  it(
    'hears again what it read of a process that noted it only when it was ended (RELAY-16)',
    async () => {
      await listOutOfReach();
      await former.close();
      await untilChanges(2);
      expect(listChanges(stream)).toEqual(['tools', 'tools']);
    },
    SLOW,
  );

  it(
    'hears again what it read of a process that was just taking it up (RELAY-16)',
    async () => {
      await start('next');
      const ofThird = new WatchedCluster(engine);
      const third = await boot('former', ofThird);
      let open = (): void => undefined;
      ofThird.gate = new Promise((resolve) => (open = resolve));
      const listing = moveTo(third, session).request('tools/list');
      await until(() => ofThird.commands.includes('find'), 'the third process to read the record');
      await moved.request('ping');
      await untilChanges(1);
      open();
      expect(await listing).toMatchObject({ result: { tools: [{ name: 'old' }] } });
      await third.close();
      await untilChanges(2);
      expect(listChanges(stream)).toEqual(['tools', 'tools']);
    },
    SLOW,
  );

  it('hears of the lists of a process that is ended while it waits for the others (RELAY-16)', async () => {
    await start('next');
    setWaits(next, { acknowledgedMs: 1000 });
    ofFormer.holdDeliveries();
    await moved.request('ping');
    await until(() => ofNext.sent.some((text) => text.includes('cluster.heard')), 'the question');
    await next.close();
    await untilChanges(1);
    expect(listChanges(stream)).toEqual(['tools']);
  });

  it('asks the engine for nothing to list while there is one release (RELAY-16)', async () => {
    await start('former');
    await moved.request('ping');
    await settleAll();
    const before = ofFormer.commands.length;
    for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
      expect(await session.request(method)).toHaveProperty('result');
    }
    expect(ofFormer.commands.slice(before)).toEqual([]);
  });
});
