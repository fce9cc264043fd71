import { afterEach, describe, expect, it } from '@jest/globals';
import { Envelopes } from '../../../../lib/server/relay/envelopes.js';
import { Publisher, type PublisherParts } from '../../../../lib/server/relay/publisher.js';
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
      envelopes: new Envelopes(['secret'], '/mcp'),
      connect: () => ({ append }) as unknown as ClusterConnection,
      hasCome: () => false,
      deliverHere: ({ count }) => void told.push(count),
      reportLoss: () => undefined,
      ...parts,
    });
    publishers.push(publisher);
    return { publisher, told };
  }

  const refuse: Append = () => Promise.reject(new Error('out of reach'));

  it('tells this process nothing twice that came before the log lost its answer', async () => {
    const come = new Set<number>();
    let count = 0;
    const loseAnswer: Append = () => {
      come.add((count += 1));
      return Promise.reject(new Error('the connection was lost'));
    };
    const { publisher, told } = create(loseAnswer, { hasCome: (which) => come.has(which) });
    await publisher.publish('topic', {});
    expect([told, publisher.waiting]).toEqual([[], 0]);
  });

  it('remembers a bounded number of messages as told here, however many an outage drops', async () => {
    const { publisher, told } = create(refuse);
    for (let count = 0; count < 10_000; count += 1) await publisher.publish('topic', {});
    expect(told).toHaveLength(10_000);
    expect(publisher.wasToldHere(10_000)).toBe(true);
    expect(publisher.wasToldHere(1)).toBe(false);
  });

  it('publishes what waits together, so that what is published meanwhile does not outrun it', async () => {
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
    await until(() => publisher.waiting === 0);
    expect(most).toBe(100);
  });
});
