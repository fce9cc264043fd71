import { describe, expect, it } from '@jest/globals';
import { orderByPosition } from '../../../../../lib/server/sessions/shared/late-subscriptions.js';

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
