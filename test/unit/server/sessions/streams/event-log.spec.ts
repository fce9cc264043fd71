import { describe, expect, it } from '@jest/globals';
import type { OutboundMessage } from '../../../../../lib/core/protocol/outbound-message.js';
import {
  EventLog,
  formatEventId,
  type EventLogLimits,
  type StreamEvent,
} from '../../../../../lib/server/sessions/streams/event-log.js';
import { MemoryBudget } from '../../../../../lib/server/memory/memory-budget.js';
import { Random } from '../../../core/protocol/random.js';

function buildEvent(stream: string, number: number, json = `${stream}-${number}`): StreamEvent {
  return { stream, number, message: { json }, isLast: false };
}

/** Appends the events 1 to `count` of a stream. */
function fill(log: EventLog, stream: string, count: number): readonly StreamEvent[] {
  return Array.from({ length: count }, (_, index) => log.append(buildEvent(stream, index + 1))).flat();
}

/** Gives what an event says, however it is kept. */
const plain = ({ stream, number, message: { json }, isLast }: StreamEvent): StreamEvent => ({
  stream,
  number,
  message: { json },
  isLast,
});

const numbers = (events: readonly StreamEvent[] | undefined) => events?.map(({ number }) => number);

const WIDE = { events: 1000, characters: 1_000_000 };

describe('EventLog', () => {
  it('names events by stream and number (HTTP-04)', () => {
    expect(formatEventId({ stream: '3', number: 17 })).toBe('3:17');
  });

  it("gives a stream's events after a number, in order, and no other stream's (HTTP-04)", () => {
    const log = new EventLog(WIDE);
    for (let number = 1; number <= 5; number++) {
      log.append(buildEvent('0', number));
      log.append(buildEvent('1', number));
    }
    expect(log.findAfter('0', 2, 5)?.map(({ message }) => message.json)).toEqual(['0-3', '0-4', '0-5']);
    expect(log.findAfter('1', 0, 5)).toHaveLength(5);
    expect(log.findAfter('1', 5, 5)).toEqual([]);
    expect(log.findAfter('2', 0, 0)).toEqual([]);
  });

  it('says so where one of the events is no longer kept (HTTP-04)', () => {
    const log = new EventLog({ ...WIDE, events: 4 });
    fill(log, '0', 6);
    expect(log.findAfter('0', 1, 6)).toBeUndefined();
    expect(numbers(log.findAfter('0', 2, 6))).toEqual([3, 4, 5, 6]);
  });

  it('still gives what it keeps of a stream that lost its beginning (NOTE-03)', () => {
    const log = new EventLog({ ...WIDE, events: 4 });
    fill(log, '0', 6);
    expect(numbers(log.storedAfter('0', 0))).toEqual([3, 4, 5, 6]);
    expect(numbers(log.storedAfter('0', 4))).toEqual([5, 6]);
    expect(log.storedAfter('1', 0)).toEqual([]);
  });

  it.each([0, 1, 2, 7, 8, 9, 100, 256])('never keeps more than %d events (HTTP-04)', (events) => {
    const log = new EventLog({ ...WIDE, events });
    for (let number = 1; number <= 600; number++) {
      log.append(buildEvent('0', number));
      expect(log.storedAfter('0', 0).length).toBeLessThanOrEqual(events);
    }
    const kept = log.storedAfter('0', 0).length;
    expect(kept).toBeGreaterThanOrEqual(events - Math.floor(events / 8));
    expect(numbers(log.storedAfter('0', 0))).toEqual(
      Array.from({ length: kept }, (_, index) => 601 - kept + index),
    );
  });

  it('never keeps more characters than it may, and as many as it may (HTTP-04)', () => {
    const log = new EventLog({ events: 1000, characters: 100 });
    for (let number = 1; number <= 50; number++) log.append(buildEvent('0', number, 'x'.repeat(30)));
    expect(numbers(log.storedAfter('0', 0))).toEqual([48, 49, 50]);
  });

  it('keeps nothing of a message that is longer than all of it, and all of the others (HTTP-04)', () => {
    const log = new EventLog({ events: 1000, characters: 100 });
    fill(log, '0', 3);
    const oversize = buildEvent('1', 1, 'x'.repeat(101));
    expect(log.append(oversize)).toEqual([oversize]);
    expect(log.holds('1')).toBe(false);
    expect(numbers(log.findAfter('0', 0, 3))).toEqual([1, 2, 3]);
    expect(log.append(buildEvent('1', 2, 'x'.repeat(80)))).toEqual([]);
  });

  it('gives each event that had to go once (HTTP-04)', () => {
    const log = new EventLog({ ...WIDE, events: 10 });
    const evicted = fill(log, '0', 100);
    const gone = 100 - log.storedAfter('0', 0).length;
    expect(numbers(evicted)).toEqual(Array.from({ length: gone }, (_, index) => index + 1));
  });

  it('knows of which streams it keeps events (HTTP-04)', () => {
    const log = new EventLog({ ...WIDE, events: 3 });
    log.append(buildEvent('1', 1));
    expect([log.holds('0'), log.holds('1')]).toEqual([false, true]);
    fill(log, '0', 3);
    expect([log.holds('0'), log.holds('1')]).toEqual([true, false]);
    log.clear();
    expect([log.holds('0'), log.storedAfter('0', 0)]).toEqual([false, []]);
  });

  it('keeps its books straight where messages of all lengths come on many streams (HTTP-04)', () => {
    const random = new Random(3);
    const log = new EventLog({ events: 20, characters: 300 });
    const expected: StreamEvent[] = [];
    const last = new Map<string, number>();
    for (let round = 0; round < 5000; round++) {
      const stream = String(random.below(4));
      const number = (last.get(stream) ?? 0) + 1;
      last.set(stream, number);
      const event = buildEvent(stream, number, 'x'.repeat(random.below(60)));
      expected.push(event);
      for (const gone of log.append(event)) expect(plain(gone)).toEqual(expected.shift());
      for (const name of ['0', '1', '2', '3']) {
        expect(log.storedAfter(name, 0).map(plain)).toEqual(expected.filter((kept) => kept.stream === name));
        expect(log.holds(name)).toBe(expected.some((kept) => kept.stream === name));
      }
      const characters = expected.reduce((sum, { message }) => sum + message.json.length, 0);
      expect(expected.length <= 20 && characters <= 300).toBe(true);
    }
  });

  it('is as it was where a message cannot be serialized (HTTP-04)', () => {
    const log = new EventLog({ ...WIDE, events: 2 });
    const broken: OutboundMessage = {
      get json(): string {
        throw new TypeError('no JSON');
      },
    };
    log.append(buildEvent('0', 1));
    expect(() => log.append({ stream: '0', number: 2, message: broken, isLast: false })).toThrow('no JSON');
    expect(numbers(log.storedAfter('0', 0))).toEqual([1]);
    expect(numbers([2, 3, 4].flatMap((number) => log.append(buildEvent('0', number))))).toEqual([1, 2]);
  });

  it('counts what it keeps and nothing else, however it lost the rest (FAIR-02)', () => {
    const MOST = 1_000_000_000;
    const memory = {
      maxBytes: MOST,
      maxBytesPerCaller: MOST,
      maxAnonymousBytes: MOST,
      maxBytesPerAddress: MOST,
    };
    const budget = new MemoryBudget({ memory });
    /** Gives what is counted for a log that was only ever given these events. */
    const countFor = (bounds: EventLogLimits, ...texts: readonly string[]): number => {
      const before = budget.used;
      const hold = budget.hold({}, 0);
      const log = new EventLog(bounds, hold);
      for (const [index, text] of texts.entries()) log.append(buildEvent('0', index + 1, text));
      const counted = budget.used - before;
      hold.release();
      return counted;
    };
    const log = new EventLog({ events: 4, characters: 100 }, budget.hold({}, 0));
    for (let number = 1; number <= 1000; number += 1) log.append(buildEvent('0', number, 'x'.repeat(10)));
    const four = Array.from({ length: 4 }, () => 'x'.repeat(10));
    expect(budget.used).toBe(countFor(WIDE, ...four));
    log.append(buildEvent('1', 1, 'y'.repeat(90)));
    expect(budget.used).toBe(countFor(WIDE, 'x'.repeat(10), 'y'.repeat(90)));
    log.append(buildEvent('1', 2, 'z'.repeat(101)));
    expect(budget.used).toBe(countFor(WIDE, 'x'.repeat(10), 'y'.repeat(90)));
    log.dropEvictable(({ stream }) => stream === '1');
    expect(budget.used).toBe(countFor(WIDE, 'x'.repeat(10)));
    log.clear();
    expect(budget.used).toBe(0);
    budget.onApplicationShutdown();
  });
});
