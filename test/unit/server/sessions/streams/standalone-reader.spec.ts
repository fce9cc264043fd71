import type { ClusterPosition } from 'nestjs-mcp';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { StandaloneReader } from '../../../../../lib/server/sessions/streams/standalone-reader.js';
import { buildMessage, textOf } from '../../../support/stream-reader.js';

const at = (number: number, epoch = 'log') => ({ epoch, number });

describe('StandingReader', () => {
  let given: string[];
  let delayed: number[];
  let reader: StandaloneReader;
  let read: ClusterPosition | undefined;
  let early: number;

  beforeEach(() => {
    [given, delayed, read, early] = [[], [], undefined, 0];
    reader = new StandaloneReader({
      streams: { pass: (message, id) => void given.push(`${textOf(message)}@${id ?? ''}`) },
      onDelay: ({ number }) => void delayed.push(number),
      findRead: () => read,
      onEarly: () => void (early += 1),
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
    const name = (count: number) => ({ member: 'here', count });
    const tell = (count: number) =>
      reader.take(buildMessage(`told ${count}`), undefined, { name: name(count) });
    tell(1);
    reader.catchUp(at(3));
    tell(2);
    for (const [told, number] of [
      [1, 4],
      [2, 5],
      [3, 6],
    ] as const) {
      reader.delayPublished(name(told), at(number));
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

  describe('of what has no place yet (RELAY-03) (RELAY-07)', () => {
    const here = (count: number) => ({ member: 'here', count });
    const give = (count: number) => reader.take(buildMessage(`${count}`), undefined, { name: here(count) });
    const place = (count: number, number: number, settledAt?: string) => {
      reader.delayPublished(here(count), at(number), settledAt);
      reader.catchUp(at(number));
    };

    beforeEach(() => {
      read = at(3);
      reader.catchUp(read);
    });

    it('says in the ids of events what was given, until that comes with its place', () => {
      give(1);
      give(2);
      reader.take(buildMessage('other'), undefined, { position: at(4), name: { member: 'there', count: 9 } });
      place(2, 5);
      take(6);
      expect(given).toEqual(['1@log:3~here:1+0', '2@log:3~here:1+1', 'other@log:4~here:1+1', '6@log:6']);
      expect(delayed).toEqual([]);
    });

    it('does not give again what another process gave, nor what was given before', () => {
      reader.recall('~there:7+1');
      for (const [count, number] of [
        [7, 4],
        [8, 5],
        [9, 6],
      ] as const) {
        const name = { member: 'there', count };
        reader.take(buildMessage(`${count}`), undefined, { position: at(number), name });
      }
      give(3);
      give(3);
      give(2);
      expect(given).toEqual(['9@log:6', '3@log:3~here:3+0']);
    });

    it('begins with nothing if an id carries what is malformed', () => {
      reader.recall('~nonsense');
      expect(reader.given).toBe('');
    });

    it('does not give what was judged late, and has its place by then', () => {
      place(1, 4);
      give(1);
      expect([given, delayed]).toEqual([[], [4]]);
    });

    it('leaves out what the client did not want when its process told it, but not if others knew that it did', () => {
      give(2);
      place(1, 4, 'here');
      expect(delayed).toEqual([]);
      reader.recall('~here:2+0');
      place(1, 5, 'there');
      expect(delayed).toEqual([5]);
    });

    it('is given nothing before its place while earlier entries are owed, and leaves out nothing', () => {
      give(2);
      reader.setEarlyPending(true);
      give(3);
      expect([given, early]).toEqual([['2@log:3~here:2+0'], 1]);
      place(1, 4, 'here');
      expect(delayed).toEqual([4]);
      reader.setEarlyPending(false);
      give(3);
      expect([given.at(-1), early]).toEqual(['3@log:3~here:2+1', 1]);
    });

    it('does not forget, while it is held, what it gave: that is read again', () => {
      give(1);
      reader.hold();
      reader.delayPublished(here(1), at(4));
      expect([reader.held, reader.given]).toEqual([at(4), '~here:1+0']);
      expect(reader.pass(here(1))).toBe(true);
      expect(reader.given).toBe('');
    });

    it('gives nothing from before the session, whichever way it comes', () => {
      reader = new StandaloneReader({
        streams: { pass: (message) => void given.push(textOf(message)) },
        onDelay: ({ number }) => void delayed.push(number),
        findRead: () => read,
        onEarly: () => undefined,
        before: here(2),
      });
      reader.catchUp(read);
      give(2);
      place(2, 4);
      reader.take(buildMessage('placed'), undefined, { position: at(5), name: here(1) });
      give(3);
      expect([given, delayed]).toEqual([['3'], []]);
    });
  });
});
