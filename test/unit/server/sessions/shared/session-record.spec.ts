import { describe, expect, it } from '@jest/globals';
import {
  buildRecordKey,
  buildSubscriptionField,
  buildVersionField,
  isIdle,
  noteUse,
  parseSessionRecord,
} from '../../../../../lib/server/sessions/shared/session-record.js';
import { SharedPart } from '../../../../../lib/server/sessions/shared/shared-part.js';

const URI = 'desk://tickets/1 ä';

describe('The record of a session', () => {
  it('says what other processes know', () => {
    const record = {
      ended: '1',
      owner: 'ada',
      level: 'warning',
      used: '12',
      standing: 'member.1@log:5',
      [buildSubscriptionField(URI)]: 'log:7',
      [buildVersionField('level')]: '5',
      [buildVersionField(buildSubscriptionField(URI))]: 'none',
      unsubscribed: '4',
    };
    expect(parseSessionRecord(record)).toEqual({
      isEnded: true,
      owner: 'ada',
      level: 'warning',
      used: 12,
      standing: 'member.1@log:5',
      subscriptions: new Map([[URI, { epoch: 'log', number: 7 }]]),
      versions: new Map([
        ['level', 5],
        [buildSubscriptionField(URI), 0],
      ]),
      unsubscribed: 4,
    });
  });

  it('says nothing that is not in it', () => {
    expect(parseSessionRecord({})).toEqual({
      isEnded: false,
      owner: undefined,
      level: undefined,
      used: undefined,
      standing: undefined,
      subscriptions: new Map(),
      versions: new Map(),
      unsubscribed: 0,
    });
  });

  it('says nothing that another release may have meant otherwise (RELAY-08)', () => {
    const record = {
      level: 'loud',
      used: 'lately',
      unsubscribed: '1e3',
      [buildSubscriptionField(URI)]: 'long ago',
      future: 'log:1',
    };
    expect(parseSessionRecord(record)).toEqual(parseSessionRecord({}));
  });
});

describe('A session that nobody uses', () => {
  const isOver = (used: string | undefined, now: number) =>
    isIdle(parseSessionRecord(used === undefined ? {} : { used }), now, 1000);

  it('is over a quarter later than its idle time, as its use is written down late (RELAY-07)', () => {
    expect([isOver('5000', 6250), isOver('5000', 6251), isOver(undefined, 9000)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('The use of a session', () => {
  const shared = () => SharedPart.create({ isShared: true, published: undefined }, undefined);
  const session = { key: 'key', expires: 5, isBusy: false, lastActive: performance.now() - 1000 };

  it('is written down by the clock that processes share (RELAY-07)', () => {
    const noted = noteUse({ ...session, shared: shared() }, { now: 1_000_000 });
    expect(noted).toMatchObject({ key: buildRecordKey('key'), expires: 5 });
    expect(Math.abs(Number(noted?.set?.['used']) - 999_000)).toBeLessThan(500);
  });

  it('is written down again only if it was used since (RELAY-02)', () => {
    const used = { ...session, shared: shared() };
    noteUse(used, { now: 1_000_000 });
    expect(noteUse(used, { now: 2_000_000 })).toBeUndefined();
    expect(noteUse({ ...used, lastActive: performance.now() }, { now: 2_000_000 })).toBeDefined();
    expect(noteUse({ ...used, isBusy: true }, { now: 2_000_000 })?.set).toEqual({ used: '2000000' });
  });

  it('is nobody else’s business in a server that is alone', () => {
    expect(noteUse({ ...session, shared: undefined }, { now: 1 })).toBeUndefined();
  });
});
