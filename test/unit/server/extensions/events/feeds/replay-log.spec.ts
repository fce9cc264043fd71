import { describe, expect, it } from '@jest/globals';
import { ReplayLog } from '../../../../../../lib/server/extensions/events/feeds/replay-log.js';

const AMPLE = { size: 100, characters: 10_000 };

function fill(log: ReplayLog, count: number, characters = 10): ReplayLog {
  for (let at = 1; at <= count; at += 1) log.append({ at, eventId: `evt_${at}`, data: {}, characters });
  return log;
}

describe('ReplayLog', () => {
  it('numbers events from 1 without holes and finds each by the one before (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE), 3);
    expect([0, 1, 2, 3].map((number) => log.findAfter(number)?.eventId)).toEqual([
      'evt_1',
      'evt_2',
      'evt_3',
      undefined,
    ]);
    expect(log).toMatchObject({ last: 3, beforeFirst: 0, size: 3 });
  });

  it('keeps the newest of more events than it may keep (EVT-01)', () => {
    const log = fill(new ReplayLog({ ...AMPLE, size: 2 }), 5);
    expect(log).toMatchObject({ last: 5, beforeFirst: 3, size: 2 });
    expect(log.findAfter(0)?.number).toBe(4);
  });

  it('keeps no more characters than it may, but always the newest event (EVT-01)', () => {
    const log = fill(new ReplayLog({ ...AMPLE, characters: 25 }), 5);
    expect(log).toMatchObject({ beforeFirst: 3, size: 2 });
    log.append({ at: 6, eventId: 'large', data: {}, characters: 1000 });
    expect(log).toMatchObject({ last: 6, beforeFirst: 5, size: 1 });
    log.append({ at: 7, eventId: 'small', data: {}, characters: 5 });
    expect(log.findAfter(0)?.eventId).toBe('small');
  });

  it('finds the events since a time (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE), 5);
    expect([0, 3, 5, 6].map((at) => log.findBefore(at))).toEqual([0, 2, 4, 5]);
  });

  it('goes on counting when it is cleared (EVT-01)', () => {
    const log = fill(new ReplayLog(AMPLE), 3);
    log.clear();
    expect(log).toMatchObject({ last: 3, beforeFirst: 3, size: 0 });
    expect(log.findAfter(0)).toBeUndefined();
    expect(fill(log, 1).findAfter(0)?.number).toBe(4);
  });
});
