import { afterEach, describe, expect, it } from '@jest/globals';
import { Keyring } from '../../../../lib/core/sealing/keyring.js';
import { Envelopes } from '../../../../lib/server/cluster/envelopes.js';
import { Publisher, type PublisherParts } from '../../../../lib/server/cluster/publisher.js';
import { SealedRecords } from '../../../../lib/server/cluster/sealed-records.js';
import type { ClusterConnection } from 'nestjs-mcp';
import { until } from '../../../support/until.js';

type Append = ClusterConnection['append'];

describe('Publisher', () => {
  const publishers: Publisher[] = [];

  afterEach(() => {
    for (const publisher of publishers.splice(0)) publisher.close();
  });

  function create(append: Append, parts: Partial<PublisherParts> = {}) {
    const told: number[] = [];
    const publisher = new Publisher({
      member: 'member',
      envelopes: new Envelopes(new Keyring(['secret']), '/mcp'),
      records: new SealedRecords(new Keyring(['secret']), '/mcp'),
      connect: () => ({ append }) as unknown as ClusterConnection,
      deliverHere: ({ count }) => void told.push(count),
      reportLoss: () => undefined,
      ...parts,
    });
    publishers.push(publisher);
    return { publisher, told };
  }

  const refuse: Append = () => Promise.reject(new Error('out of reach'));

  it('tells this process nothing twice that came before the log lost its answer (RELAY-03)', async () => {
    const loseAnswer: Append = async () => {
      await Promise.resolve();
      publisher.takeBack(1);
      throw new Error('the connection was lost');
    };
    const { publisher, told } = create(loseAnswer);
    await publisher.publish('topic', {});
    expect([told, publisher.waiting]).toEqual([[], 0]);
  });

  it('publishes nothing again that came back although the log had not said that it took it (RELAY-03)', async () => {
    const { publisher, told } = create(refuse);
    await publisher.publish('topic', {});
    await publisher.publish('topic', {});
    expect([told, publisher.waiting]).toEqual([[1, 2], 2]);
    expect(publisher.takeBack(1)).toBe(true);
    expect(publisher.waiting).toBe(1);
  });

  it('tells whether the log has all that was published so far (RELAY-03) (RELAY-07)', async () => {
    let isAway = true;
    const { promise: lost, reject } = createGate();
    const append: Append = () => (isAway ? lost : Promise.resolve({ epoch: 'e', number: 1 }));
    const { publisher } = create(append);
    expect(await publisher.whenAppended()).toBe(true);
    void publisher.publish('topic', {});
    const appended = publisher.whenAppended();
    reject(new Error('the connection was lost'));
    expect(await appended).toBe(false);
    isAway = false;
    expect([await publisher.whenAppended(), publisher.waiting]).toEqual([true, 0]);
  });

  it('tells that the log lacks something that was dropped, until that was reported (RELAY-07)', async () => {
    let isAway = true;
    const append: Append = () => (isAway ? refuse('') : Promise.resolve({ epoch: 'e', number: 1 }));
    const { publisher } = create(append);
    for (let count = 0; count < 1001; count += 1) await publisher.publish('topic', {});
    isAway = false;
    expect(await publisher.whenAppended()).toBe(false);
    expect([await publisher.whenAppended(), publisher.dropped]).toEqual([true, 1]);
  });

  it('publishes what waits before it ends, also if the log is back only then (RELAY-08)', async () => {
    const appended: string[] = [];
    const append: Append = (text) => Promise.resolve({ epoch: 'e', number: appended.push(text) });
    const connection = { append } as unknown as ClusterConnection;
    let looks = 0;
    const { publisher } = create(append, { connect: () => ((looks += 1) > 2 ? connection : undefined) });
    await publisher.publish('topic', {});
    expect(publisher.waiting).toBe(1);
    await publisher.drain();
    expect([publisher.waiting, appended.length]).toEqual([0, 1]);
  });

  it('does not wait for ever for a log that is gone before it ends (RELAY-07)', async () => {
    const { publisher } = create(refuse, { connect: () => undefined });
    await publisher.publish('topic', {});
    await publisher.drain();
    expect(publisher.waiting).toBe(1);
  });

  it('says of each outage how many messages were lost in it, once the log takes the others (RELAY-07)', async () => {
    const losses: number[] = [];
    let isAway = true;
    const append: Append = () =>
      isAway ? Promise.reject(new Error('away')) : Promise.resolve({ epoch: 'e', number: 1 });
    const { publisher } = create(append, { reportLoss: (lost) => void losses.push(lost) });
    for (const lost of [5, 3, 0]) {
      isAway = true;
      for (let count = 0; count < 1000 + lost; count += 1) await publisher.publish('topic', {});
      await publisher.flush();
      isAway = false;
      await publisher.flush();
    }
    expect([losses, publisher.waiting, publisher.dropped]).toEqual([[5, 3], 0, 8]);
  });

  it('remembers a bounded number of messages as told here, however many an outage drops (RELAY-07)', async () => {
    const { publisher, told } = create(refuse);
    for (let count = 0; count < 10_000; count += 1) await publisher.publish('topic', {});
    expect(told).toHaveLength(10_000);
    expect(publisher.takeBack(10_000)).toBe(true);
    expect(publisher.takeBack(1)).toBe(false);
  });

  it('tells this process in order what was on its way when the log was lost (RELAY-07)', async () => {
    let isAway = false;
    const { promise: lost, reject } = createGate();
    const append: Append = () => lost;
    const connection = { append } as unknown as ClusterConnection;
    const { publisher, told } = create(append, { connect: () => (isAway ? undefined : connection) });
    const published = [publisher.publish('topic', {}), publisher.publish('topic', {})];
    isAway = true;
    published.push(publisher.publish('topic', {}));
    reject(new Error('the connection was lost'));
    await Promise.all(published);
    expect([told, publisher.waiting]).toEqual([[1, 2, 3], 3]);
  });

  it('publishes in order what failed after later messages had begun to wait (RELAY-07)', async () => {
    const appended: string[] = [];
    let isAway = false;
    const { promise: lost, reject } = createGate();
    const append: Append = (_text, change) => {
      if (change !== undefined) appended.push(change.key);
      return isAway ? lost : Promise.resolve({ epoch: 'e', number: 1 });
    };
    const connection = { append } as unknown as ClusterConnection;
    const { publisher } = create(append, { connect: () => connection });
    isAway = true;
    const first = publisher.publish('topic', {}, { key: 'first', expires: 0 });
    const second = publisher.publish('topic', {}, { key: 'second', expires: 0 });
    reject(new Error('the connection was lost'));
    await Promise.all([first, second]);
    isAway = false;
    await publisher.flush();
    expect(appended.slice(2)).toEqual(['first', 'second']);
  });

  it('publishes what waits together, so that what is published meanwhile does not outrun it (RELAY-07)', async () => {
    let isAway = true;
    let [onTheWay, most] = [0, 0];
    const append: Append = async () => {
      if (isAway) throw new Error('out of reach');
      most = Math.max(most, (onTheWay += 1));
      await new Promise((resolve) => setImmediate(resolve));
      onTheWay -= 1;
      return { epoch: 'e', number: 1 };
    };
    const { publisher } = create(append);
    for (let count = 0; count < 300; count += 1) await publisher.publish('topic', {});
    isAway = false;
    await publisher.flush();
    await until(() => publisher.waiting === 0, 'an empty queue');
    expect(most).toBe(100);
  });
});

/** Node 20 has no `Promise.withResolvers`. */
function createGate(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<never>((_resolve, fail) => (reject = fail));
  return { promise, reject };
}
