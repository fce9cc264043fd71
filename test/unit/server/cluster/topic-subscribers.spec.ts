import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Delivery } from '../../../../lib/server/cluster/cluster-bus.js';
import { ignoreUnknown, TopicSubscribers } from '../../../../lib/server/cluster/topic-subscribers.js';

const HERE = {} as Delivery;

describe('TopicSubscribers', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('logs what a receiver throws, once a minute for each topic, and tells no caller (RELAY-07)', () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const takers = new TopicSubscribers();
    const heard: string[] = [];
    const stop = takers.add('a', () => void heard.push('a'));
    for (const topic of ['a', 'b'])
      takers.add(topic, () => {
        throw new Error(`no ${topic}`);
      });
    for (const topic of ['a', 'a', 'b']) takers.tryToDeliver(topic, {}, HERE);
    expect(logged).toHaveBeenCalledTimes(2);
    expect(() => takers.deliver('b', {}, HERE)).toThrow('no b');
    stop();
    takers.tryToDeliver('a', {}, HERE);
    expect(heard).toEqual(['a', 'a']);
  });

  it('passes on what this release understands, and nothing else (RELAY-08)', () => {
    const takers = new TopicSubscribers();
    const heard: object[] = [];
    takers.add(
      'a',
      ignoreUnknown<object>(
        (body) => 'known' in body,
        (body) => void heard.push(body),
      ),
    );
    for (const body of [{ known: 1 }, { later: 2 }, { known: 3 }]) takers.deliver('a', body, HERE);
    expect(heard).toEqual([{ known: 1 }, { known: 3 }]);
  });
});
