import { describe, expect, it } from '@jest/globals';
import { formatPosition, isBehind, isUpTo, parsePosition } from '../../../../lib/server/cluster/position.js';

const at = (number: number, epoch = 'log') => ({ epoch, number });

describe('A place in the log that processes share', () => {
  it.each([at(0), at(7), at(Number.MAX_SAFE_INTEGER), at(1, '0z')])(
    'is read as it was written: %j',
    (place) => {
      expect(parsePosition(formatPosition(place))).toEqual(place);
    },
  );

  it.each([
    undefined,
    '',
    'log',
    'log:',
    ':1',
    'log:01',
    'log:-1',
    'log:1.5',
    'log:1e3',
    'Log:1',
    'log:1:2',
    'log:1 ',
    'log:9007199254740992',
    `${'a'.repeat(65)}:1`,
    'member-1:2',
  ])('is nothing that a client made up: %j (HTTP-03)', (text) => {
    expect(parsePosition(text)).toBeUndefined();
  });

  it('stands up to itself and to those behind it', () => {
    expect([isUpTo(at(1), at(1)), isUpTo(at(1), at(2)), isUpTo(at(2), at(1))]).toEqual([true, true, false]);
  });

  it('stands behind those before it', () => {
    expect([isBehind(at(2), at(1)), isBehind(at(1), at(1)), isBehind(at(1), at(2))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('stands neither before nor behind one of another log', () => {
    const other = at(2, 'other');
    expect([isUpTo(at(1), other), isBehind(at(3), other), isBehind(at(3), undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
