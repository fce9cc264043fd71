import { describe, expect, it } from '@jest/globals';
import {
  findLateExcess,
  isNearBounds,
  orderByPosition,
} from '../../../../../lib/server/sessions/shared/late-subscriptions.js';

const at = (number: number) => ({ epoch: 'log', number });

describe('orderByPosition()', () => {
  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])(
    'gives the oldest first, and in every process the same order of what is as old (RELAY-03): %s',
    (one, other) => {
      const subscriptions = new Map([
        [one, at(2)],
        [other, at(2)],
        ['the oldest', at(1)],
      ]);
      expect(orderByPosition(subscriptions)).toEqual(['the oldest', 'a', 'b']);
    },
  );
});

describe('isNearBounds()', () => {
  const bounds = { maxSubscriptions: 8, maxSubscriptionCharacters: 400 };
  const isNear = (count: number, subscriptionCharacters: number) =>
    isNearBounds(
      {
        subscriptions: new Set(Array.from({ length: count }, (_, index) => `${index}`)),
        subscriptionCharacters,
      },
      bounds,
    );

  it('says so from more than a quarter on, of subscriptions or of their characters (FAIR-03)', () => {
    expect([isNear(2, 100), isNear(3, 100), isNear(2, 101), isNear(3, 101)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe('findLateExcess()', () => {
  const bounds = { maxSubscriptions: 2, maxSubscriptionCharacters: 20 };
  const record = {
    'uri desk://1': 'log:1',
    'uri desk://2': 'log:3',
    'uri desk://3': 'log:2',
    level: 'error',
  };

  it('ends what is later than the bound allows, in every process the same (FAIR-03)', () => {
    const excess = (uri: string) => findLateExcess(record, uri, bounds)?.message;
    expect([excess('desk://1'), excess('desk://3')]).toEqual([undefined, undefined]);
    expect(excess('desk://2')).toContain('2 subscriptions');
    expect(excess('desk://4')).toBeUndefined();
  });

  it('ends what has too many characters with the earlier ones (FAIR-03)', () => {
    const long = { 'uri desk://long-enough': 'log:1', 'uri desk://2': 'log:2' };
    expect(findLateExcess(long, 'desk://long-enough', bounds)).toBeUndefined();
    expect(findLateExcess(long, 'desk://2', bounds)?.message).toContain('20 characters in subscriptions');
  });
});
