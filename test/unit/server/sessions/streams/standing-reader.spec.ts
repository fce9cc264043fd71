import { beforeEach, describe, expect, it } from '@jest/globals';
import { StandingReader } from '../../../../../lib/server/sessions/streams/standing-reader.js';
import { buildMessage, textOf } from '../../../support/stream-reader.js';

const at = (number: number, epoch = 'log') => ({ epoch, number });

describe('StandingReader', () => {
  let given: string[];
  let delayed: number[];
  let reader: StandingReader;

  beforeEach(() => {
    [given, delayed] = [[], []];
    reader = new StandingReader({
      streams: { pass: (message, id) => void given.push(`${textOf(message)}@${id ?? ''}`) },
      onDelay: ({ number }) => void delayed.push(number),
    });
  });

  const take = (number: number) =>
    reader.take(buildMessage(`${number}`), undefined, { position: at(number) });

  it('gives nothing before it has what came before, and notes where that began (RELAY-03)', () => {
    take(2);
    take(3);
    expect([given, reader.held, reader.isCurrent]).toEqual([[], at(2), false]);
  });

  it('gives what comes behind the place up to which all is known, once (RELAY-03)', () => {
    reader.catchUp(at(3));
    for (const number of [2, 3, 4]) take(number);
    expect(given).toEqual(['4@log:4']);
  });

  it('gives what comes in another log, whatever its number (RELAY-03)', () => {
    reader.catchUp(at(3));
    reader.take(buildMessage('other'), undefined, { position: at(1, 'other') });
    expect(given).toEqual(['other@other:1']);
  });

  it('gives what has no place at once, but not while something comes before it (RELAY-07)', () => {
    reader.take(buildMessage('early'), undefined, {});
    reader.catchUp(at(3));
    reader.take(buildMessage('then'), undefined, {});
    reader.hold();
    reader.take(buildMessage('late'), undefined, {});
    expect(given).toEqual(['then@']);
  });

  it('is given what has got a place, unless it was given that before (RELAY-03) (RELAY-07)', () => {
    const tell = (told: number) => reader.take(buildMessage(`told ${told}`), undefined, { told });
    tell(1);
    reader.catchUp(at(3));
    tell(2);
    for (const [told, number] of [
      [1, 4],
      [2, 5],
      [3, 6],
    ] as const) {
      reader.delayTold(told, at(number));
      reader.catchUp(at(number));
    }
    expect([given, delayed]).toEqual([['told 2@'], [4, 6]]);
  });

  it('has what it must wait for read again once, from where that stands (RELAY-03)', () => {
    reader.catchUp(at(3));
    for (const number of [3, 4, 5]) reader.delay(at(number));
    take(6);
    expect([given, delayed, reader.held]).toEqual([[], [4], at(4)]);
  });

  it.each([
    ['behind a place that it had not come to', 5, 6],
    ['behind what it has, if that is more', 2, 4],
  ])('waits for what stands %s (RELAY-03)', (_, number, expected) => {
    reader.catchUp(at(3));
    reader.delayBehind(at(number));
    take(7);
    expect([given, delayed, reader.held]).toEqual([[], [expected], at(expected)]);
  });

  it('notes what is behind a place although it is not told that, while something comes before it (RELAY-03)', () => {
    reader.delayBehind(at(5));
    take(7);
    expect([given, delayed, reader.held]).toEqual([[], [], at(6)]);
  });
});
