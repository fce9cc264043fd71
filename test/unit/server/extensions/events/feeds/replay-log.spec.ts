import { describe, expect, it } from '@jest/globals';
import { ReplayLog } from '../../../../../../lib/server/extensions/events/feeds/replay-log.js';

const AMPLE = { size: 100, characters: 10_000 };
const BEGIN = { run: 'run', number: 0 };

function build(at: number, { eventId = `evt_${at}`, characters = 10 } = {}) {
  return { at, emittedAt: at, eventId, data: {}, characters, logPosition: { run: 'run', number: at } };
}

function fill(log: ReplayLog, count: number): ReplayLog {
  for (let at = 1; at <= count; at += 1) log.append(build(at));
  return log;
}

describe('ReplayLog', () => {
  it('numbers events from 1 without holes and finds each by the one before (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE, BEGIN), 3);
    expect([0, 1, 2, 3].map((number) => log.findAfter(number)?.eventId)).toEqual([
      'evt_1',
      'evt_2',
      'evt_3',
      undefined,
    ]);
    expect(log).toMatchObject({ last: 3, beforeFirst: 0, size: 3 });
  });

  it('keeps the newest of more events than it may keep (EVT-01)', () => {
    const log = fill(new ReplayLog({ ...AMPLE, size: 2 }, BEGIN), 5);
    expect(log).toMatchObject({ last: 5, beforeFirst: 3, size: 2 });
    expect(log.findAfter(0)?.number).toBe(4);
  });

  it('keeps no more characters than it may, but always the newest event (EVT-01)', () => {
    const log = fill(new ReplayLog({ ...AMPLE, characters: 25 }, BEGIN), 5);
    expect(log).toMatchObject({ beforeFirst: 3, size: 2 });
    log.append(build(6, { eventId: 'large', characters: 1000 }));
    expect(log).toMatchObject({ last: 6, beforeFirst: 5, size: 1 });
    log.append(build(7, { eventId: 'small', characters: 5 }));
    expect(log.findAfter(0)?.eventId).toBe('small');
  });

  it('finds the events since a time (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE, BEGIN), 5);
    expect([0, 3, 5, 6].map((at) => log.findBefore(at))).toEqual([0, 2, 4, 5]);
  });

  it('goes on counting when it is cleared (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE, BEGIN), 3);
    log.clear();
    expect(log).toMatchObject({ last: 3, beforeFirst: 3, size: 0 });
    expect(log.findAfter(0)).toBeUndefined();
    expect(fill(log, 1).findAfter(0)?.number).toBe(4);
  });

  it('takes older events in front, the newest of them as long as there is room (RELAY-09)', () => {
    const log = new ReplayLog({ ...AMPLE, size: 3 }, { run: 'run', number: 9 });
    log.append(build(10));
    log.prepend([build(7), build(8)], { run: 'run', number: 5 });
    expect([log.beforeFirst, log.beginning, log.last]).toEqual([-2, { run: 'run', number: 5 }, 1]);
    expect(log.findAfter(Number.NEGATIVE_INFINITY)?.eventId).toBe('evt_7');
    log.prepend([build(3), build(4)], { run: 'run', number: 2 });
    expect([log.size, log.beginning.number, log.isFull]).toEqual([3, 4, true]);
  });

  it('tells where something was lost (RELAY-09)', () => {
    const log = fill(new ReplayLog(AMPLE, BEGIN), 2);
    log.skipTo({ run: 'run', number: 9 });
    expect(log).toMatchObject({ last: 3, beforeFirst: 3, size: 0, beginning: { number: 9 } });
    expect(log.append(build(10)).number).toBe(4);
  });
});
