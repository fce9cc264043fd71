import { describe, expect, it } from '@jest/globals';
import {
  isAtOrAfter,
  isSamePosition,
  type LogPosition,
} from '../../../../../../lib/server/extensions/events/feeds/event-cursors.js';

const at = (number: number, own?: number, by = 'here'): LogPosition => ({
  run: 'log',
  number,
  ...(own !== undefined && { own, by }),
});

describe('The logPosition of an event (RELAY-09)', () => {
  it.each([
    ['a greater number', at(6), at(5), true],
    ['a smaller number', at(4), at(5), false],
    ['the same number', at(5), at(5), true],
    ['an event that one process alone knows, and the log before it', at(5, 1), at(5), true],
    ['the log before an event that one process alone knows', at(5), at(5, 1), false],
    ['a later event that the same process alone knows', at(5, 2), at(5, 1), true],
    ['an earlier event that the same process alone knows', at(5, 1), at(5, 2), false],
    ['what another process alone knows', at(5, 9, 'there'), at(5, 1), false],
    ['the log behind what one process alone knows', at(6), at(5, 9), true],
    ['another log', { run: 'other', number: 9 }, at(5), false],
  ])('is at another, or behind it, or not: %s', (_case, one, other, expected) => {
    expect(isAtOrAfter(one, other)).toBe(expected);
  });

  it('is the same if each is at the other', () => {
    expect([
      isSamePosition(at(5), at(5)),
      isSamePosition(at(5, 1), at(5)),
      isSamePosition(at(6), at(5)),
    ]).toEqual([true, false, false]);
  });
});
