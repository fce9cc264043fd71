import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import { AnyResource } from '../support/applications/any-resource.js';
import { announce, WatchedDesk } from '../support/applications/watched-desk.js';
import { initialize, type SessionClient } from '../support/clients/json-rpc.js';
import { range, readNumbers, untilNumber } from '../support/clients/numbered.js';
import { coreClient, textOfTask } from '../support/clients/task-wires.js';
import {
  moveTo,
  settle,
  startCluster,
  type ClusterProcess,
  type RunningCluster,
} from '../support/cluster/start-cluster.js';
import { bootTaskDesks } from '../support/cluster/task-desks.js';
import { WatchedCluster } from '../support/cluster/watched-cluster.js';
import { memoryCluster } from 'nestjs-mcp/testing';
import { until } from '../support/until.js';

const MANY = 1000;

/** What may come into the log: so much at once, and so much more for each second that it takes. */
interface Share {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** What one caller may push into it, and what comes now and then besides. */
const OF_A_CALLER: Share = { atOnce: 450, perSecond: 5 };
/** The same for all of whom nobody knows where they are. */
const OF_ALL: Share = { atOnce: 550, perSecond: 13 };
/** The same for messages to one process. */
const MESSAGES: Share = { atOnce: 400, perSecond: 51 };

/** Tells how much may have come since. */
const most = ({ atOnce, perSecond }: Share, sinceMs: number) =>
  atOnce + (perSecond * (performance.now() - sinceMs)) / 1000;

const countOf = (process: ClusterProcess, command: string) =>
  process.watched.commands.filter((name) => name === command).length;

/** Has a client do something again and again, some of it at once. */
async function flood(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let next = 0; next < count; next += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => act(next + index)));
  }
}

describe('The log of a server of several processes', () => {
  let cluster: RunningCluster;
  let begunAt: number;

  const start = async () => {
    begunAt = performance.now();
    cluster = await startCluster({ providers: [WatchedDesk, AnyResource] });
    return cluster.processes;
  };
  const setLevel = (session: SessionClient, level: string) => session.request('logging/setLevel', { level });

  afterEach(() => cluster.close());

  it('keeps what others are told while a client changes its log level all the time (FAIR-03) (RELAY-03)', async () => {
    const [one, two, three] = await start();
    const away = await initialize(two.url);
    const stream = await away.openStream();
    announce(three, 1);
    await untilNumber(stream, 1);
    const known = stream.lastEventId;
    await stream.close();
    announce(three, 2, 5);
    const session = await initialize(one.url);
    const before = countOf(one, 'append');
    await flood(MANY, (index) => setLevel(session, index % 2 === 0 ? 'debug' : 'error'));
    expect(countOf(one, 'append') - before).toBeLessThan(most(OF_A_CALLER, begunAt));
    const back = await moveTo(three, away).openStream({ lastEventId: known });
    await untilNumber(back, 5);
    expect(readNumbers(back)).toEqual(range(2, 5));
    await back.close();
  });

  it('has the last of many changes hold in every process (RELAY-01)', async () => {
    const [one, two] = await start();
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    await flood(500, (index) => setLevel(session, index % 2 === 0 ? 'debug' : 'info'));
    await setLevel(session, 'error');
    let round = 0;
    const heard = () => stream.messages.map(({ params }) => params?.['data']);
    await until(async () => {
      round += 1;
      two.app.get(McpNotifier).log('info', `unwanted ${round}`);
      two.app.get(McpNotifier).log('error', `wanted ${round}`);
      await until(() => heard().includes(`wanted ${round}`), 'what is wanted');
      return !heard().includes(`unwanted ${round}`);
    }, 'errors alone');
    expect(heard()).toContain(`wanted ${round}`);
    await stream.close();
  });

  it('has the last of many subscriptions hold in every process (FAIR-03) (RELAY-01)', async () => {
    const [one, two, three] = await start();
    const session = await initialize(one.url);
    const stream = await moveTo(two, session).openStream();
    await flood(MANY, (index) =>
      session.request(index % 2 === 0 ? 'resources/subscribe' : 'resources/unsubscribe', {
        uri: `desk://${index % 100}`,
      }),
    );
    await session.request('resources/subscribe', { uri: 'desk://1' });
    expect(countOf(one, 'append')).toBeLessThan(most(OF_A_CALLER, begunAt));
    await until(() => {
      three.app.get(McpNotifier).resourceUpdated('desk://1');
      return stream.messages.some(({ params }) => params?.['uri'] === 'desk://1');
    }, 'an update');
    // A process that has not seen the session reads what holds.
    const late = await cluster.start();
    const again = await moveTo(late, session).openStream({ lastEventId: stream.lastEventId });
    late.app.get(McpNotifier).resourceUpdated('desk://1');
    await again.nextNotification('notifications/resources/updated');
    await Promise.all([stream.close(), again.close()]);
  });

  it('is not filled by URIs that nobody subscribed to, however long they are (FAIR-03)', async () => {
    const [one] = await start();
    const session = await initialize(one.url);
    const before = countOf(one, 'append');
    const uri = `desk://${'x'.repeat(8000)}`;
    await flood(200, (index) => session.request('resources/unsubscribe', { uri: `${uri}${index}` }));
    expect(countOf(one, 'append') - before).toBeLessThan(most({ atOnce: 50, perSecond: 5 }, begunAt));
  });

  it('keeps what others are told while strangers open sessions and end them (FAIR-03) (RELAY-06)', async () => {
    const [one, two] = await start();
    const ended: SessionClient[] = [];
    await flood(MANY, async () => {
      const session = await initialize(one.url, { confirm: false });
      await session.delete();
      ended.push(session);
    });
    expect(countOf(one, 'append')).toBeLessThan(most(OF_ALL, begunAt));
    const last = ended.at(-1)!;
    await until(async () => (await moveTo(two, last).request('ping')).status === 404, 'the end elsewhere');
  });

  it('keeps what others are told while a client tells of other roots all the time (FAIR-03)', async () => {
    const [one] = await start();
    const session = await initialize(one.url, { capabilities: { roots: { listChanged: true } } });
    await flood(MANY, () => session.notify('notifications/roots/list_changed'));
    expect(countOf(one, 'append')).toBeLessThan(most(OF_A_CALLER, begunAt));
  });

  it('leaves others the way that cancellations take (FAIR-03)', async () => {
    const [one] = await start();
    const session = await initialize(one.url);
    await flood(MANY, (index) =>
      session.notify('notifications/cancelled', { requestId: `nobody's ${index}` }),
    );
    expect(countOf(one, 'send')).toBeLessThan(most(MESSAGES, begunAt));
  });

  it('is not needed by what a client changes too often while the engine is away: that is refused (FAIR-03) (RELAY-07)', async () => {
    const [one] = await start();
    const [session, other] = [
      await initialize(one.url),
      await initialize(one.url, { headers: { 'x-forwarded-for': '192.0.2.7' } }),
    ];
    cluster.engine.cut();
    const statuses = new Set<number>();
    await flood(500, async () => statuses.add((await setLevel(session, 'error')).status));
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await other.request('tools/call', { name: 'echo' })).status).toBe(200);
    cluster.engine.heal();
    await settle(one);
  });
});

describe('The log of a server whose tasks change all the time', () => {
  it('keeps what others are told, and who follows a task hears of its end (FAIR-03) (RELAY-09)', async () => {
    const begunAt = performance.now();
    const watched = new WatchedCluster(memoryCluster());
    const [here, there] = await bootTaskDesks(2, { cluster: watched });
    const client = await coreClient(here!.url);
    const before = watched.commands.filter((name) => name === 'append').length;
    here!.tools.gates.at('open').open();
    const last = await client.create('wait', { name: 'last' });
    await flood(MANY, () => client.create('wait', { name: 'open' }));
    expect(watched.commands.filter((name) => name === 'append').length - before).toBeLessThan(
      2 * most(OF_ALL, begunAt),
    );
    const followed = client.session.at(there!.url).request('tasks/result', { taskId: last['taskId'] });
    here!.tools.gates.at('last').open();
    expect(textOfTask((await followed).result ?? {})).toBe('last is done');
    await Promise.all([here!.close(), there!.close()]);
  });
});
