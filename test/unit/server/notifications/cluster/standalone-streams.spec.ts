import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryCluster } from 'nestjs-mcp/testing';
import { Keyring } from '../../../../../lib/core/sealing/keyring.js';
import { NOTIFICATIONS } from '../../../../../lib/server/notifications/audience.js';
import { buildLogMessage } from '../../../../../lib/server/notifications/change-notifications.js';
import {
  StandaloneStream,
  type StandaloneStreamParts,
} from '../../../../../lib/server/notifications/cluster/standalone-streams.js';
import { DistributedBus } from '../../../../../lib/server/cluster/distributed-bus.js';
import { formatPosition } from '../../../../../lib/server/cluster/position.js';
import type { Session } from '../../../../../lib/server/sessions/session.js';
import { SharedPart } from '../../../../../lib/server/sessions/shared/shared-part.js';
import { SessionStreams } from '../../../../../lib/server/sessions/streams/session-streams.js';
import { STANDALONE_STREAM } from '../../../../../lib/server/sessions/streams/stream-records.js';
import { until } from '../../../../support/until.js';

const LOSS = 'Messages from the server were lost';

describe('StandaloneStream', () => {
  const engine = memoryCluster();
  let [reading, publishing]: DistributedBus[] = [];
  let stream: StandaloneStream;
  let shared: SharedPart | undefined;
  let heard: { readonly text: string; readonly id: string | undefined }[];

  async function join(): Promise<DistributedBus> {
    const bus = new DistributedBus(engine, '/mcp', new Keyring(['a secret']));
    await bus.onModuleInit();
    return bus;
  }

  /** Begins to read a session in one process. */
  function create(
    bus: DistributedBus,
    parts: Partial<StandaloneStreamParts> = {},
    isUnread = false,
  ): StandaloneStream {
    const streams = new SessionStreams({ events: 10, characters: 1000 }, 0, undefined, false);
    shared = SharedPart.create(bus, undefined, isUnread);
    const session = { streams, shared, declared: { logging: {} }, subscriptions: new Set() };
    streams.open(STANDALONE_STREAM).subscribe(({ message, id }) => {
      const { params } = JSON.parse(message.json) as { params: { data: string } };
      heard.push({ text: params.data.slice(0, LOSS.length), id });
    });
    const created = new StandaloneStream({
      session: session as unknown as Session,
      bus,
      scopes: { find: () => [] },
      whenRead: () => Promise.resolve(),
      response: new PassThrough(),
      ...parts,
    });
    bus.on(NOTIFICATIONS, ({ notification }, delivery) => {
      const { data } = notification.params as { readonly data: string };
      created.reader.take(buildLogMessage('info', data), undefined, delivery);
    });
    bus.onGap(() => created.reportLoss());
    return created;
  }

  const texts = () => heard.map(({ text }) => text);

  /** Publishes, and waits until the process that reads was given it. */
  async function publish(...data: string[]): Promise<void> {
    const before = reading?.position?.number ?? 0;
    for (const text of data) {
      const notification = buildLogMessage('info', text);
      await publishing?.publishFlushed(NOTIFICATIONS, { to: { level: 'info' }, notification });
    }
    const isGiven = () => !reading!.isConnected || (reading?.position?.number ?? 0) >= before + data.length;
    await until(isGiven, 'the process to be given it');
  }

  /** Publishes in the process that reads. */
  function publishHere(...data: string[]): void {
    for (const text of data) {
      const notification = buildLogMessage('info', text);
      reading!.publish(NOTIFICATIONS, { to: { level: 'info' }, notification });
    }
  }

  beforeEach(async () => {
    engine.clear();
    [reading, publishing] = [await join(), await join()];
    heard = [];
  });

  afterEach(async () => {
    engine.heal();
    stream.close();
    await Promise.all([reading, publishing].map(async (bus) => bus?.onApplicationShutdown()));
  });

  it('gives what was published behind a place, and then what comes, with its place (RELAY-03)', async () => {
    const begin = reading?.position;
    await publish('1', '2');
    stream = create(reading!);
    stream.begin(begin);
    await publish('3');
    await until(() => heard.length === 3, 'three messages');
    expect(texts()).toEqual(['1', '2', '3']);
    expect(heard.at(-1)?.id).toBe(formatPosition(publishing!.position!));
    expect(stream.read).toEqual(publishing!.position);
  });

  it('begins with what comes, if it is not said where (RELAY-03)', async () => {
    await publish('1');
    stream = create(reading!);
    stream.begin(undefined);
    await publish('2');
    await until(() => heard.length > 0, 'a message');
    expect(texts()).toEqual(['2']);
  });

  it.each([true, false])(
    'waits until the record of the session is read, and owes everything since, from a known place on: %s (RELAY-03)',
    async (isKnown) => {
      let read: () => void = () => undefined;
      const whenRead = () => new Promise<void>((resolve) => (read = resolve));
      stream = create(reading!, { whenRead }, true);
      stream.begin(isKnown ? reading?.position : undefined);
      await publish('1', '2');
      expect([texts(), stream.reader.isCurrent]).toEqual([[], false]);
      shared!.isUnread = false;
      read();
      await publish('3');
      await until(() => heard.length === 3, 'three messages');
      expect(texts()).toEqual(['1', '2', '3']);
    },
  );

  it('tells of a loss, and goes on behind it, if what is owed is gone (RELAY-03)', async () => {
    await publish('1', '2');
    stream = create(reading!);
    stream.begin({ epoch: 'another', number: 1 });
    await publish('3');
    await until(() => texts().includes('3'), 'the third message');
    expect(texts()).toEqual([LOSS, '3']);
  });

  it('comes back to the place of a notice behind which nothing was published (RELAY-03)', async () => {
    engine.clear();
    await until(() => reading?.stats.gaps === 1, 'the gap to be counted');
    stream = create(reading!);
    stream.begin(reading?.position);
    expect(stream.reader.isCurrent).toBe(true);
  });

  it('waits for a log that cannot be read now, and tells of no loss (RELAY-03) (RELAY-07)', async () => {
    const begin = publishing?.position;
    await publish('1', '2');
    await reading?.onApplicationShutdown();
    reading = await join();
    engine.cut(reading.member);
    stream = create(reading);
    stream.begin(begin);
    await publish('3');
    engine.heal();
    await until(() => heard.length === 3, 'three messages');
    expect(texts()).toEqual(['1', '2', '3']);
  });

  it('does not give again, when it reads on, what it gave before that had a place (RELAY-03)', async () => {
    stream = create(reading!);
    stream.begin(undefined);
    await publish('1');
    await until(() => heard.length === 1, 'a message');
    engine.cut(reading!.member);
    publishHere('2', '3');
    expect(texts()).toEqual(['1', '2', '3']);
    expect(stream.read).toEqual({ ...reading!.position, given: `~${reading!.member}:1+1` });
    engine.heal();
    await until(() => reading!.stats.waiting === 0, 'what waits to be published');
    await publish('4');
    await until(() => heard.length === 4, 'four messages');
    const last = reading!.position!;
    stream.reader.delay({ ...last, number: last.number - 2 });
    await until(() => heard.length > 4 || stream.reader.isCurrent, 'the reader to be current');
    await publish('5');
    await until(() => heard.at(-1)?.text === '5', 'the fifth message');
    expect(texts()).toEqual(['1', '2', '3', '4', '4', '5']);
    expect(heard.at(-1)?.id).toBe(formatPosition(reading!.position!));
  });

  it('gives what was published before it came, and has no place yet, ahead of what comes (RELAY-03) (RELAY-07)', () => {
    stream = create(reading!);
    engine.cut(reading!.member);
    publishHere('1', '2');
    stream.begin(reading!.position);
    publishHere('3');
    expect(texts()).toEqual(['1', '2', '3']);
  });

  it('gives nothing early to who is ahead of the process, and may have got that with its place (RELAY-03) (RELAY-07)', async () => {
    stream = create(reading!);
    reading!.onStored(NOTIFICATIONS, (_, { name, position }) =>
      stream.reader.delayPublished(name!, position!),
    );
    await publish('0');
    engine.cut(reading!.member);
    publishHere('1', '2');
    await publish('elsewhere');
    const isAhead = () => publishing!.position!.number > reading!.position!.number;
    await until(isAhead, 'the other process to be ahead');
    stream.begin(publishing!.position);
    publishHere('3');
    expect(texts()).toEqual([]);
    engine.heal();
    await until(() => heard.length === 3, 'three messages');
    publishHere('4');
    await until(() => heard.length === 4, 'four messages');
    expect(texts()).toEqual(['1', '2', '3', '4']);
  });

  it('gives nothing more once it is closed (RELAY-04)', async () => {
    stream = create(reading!);
    stream.begin(undefined);
    await publish('1');
    await until(() => heard.length === 1, 'the message');
    stream.close();
    stream.reportLoss();
    await publish('2');
    expect(texts()).toEqual(['1']);
  });
});
