import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Activity } from '../../../../../lib/server/sessions/activity.js';
import type { SlotHolder } from '../../../../../lib/server/sessions/slots/slot-holder.interface.js';
import { SessionSlots } from '../../../../../lib/server/sessions/slots/session-slots.js';
import { SessionLimitError } from '../../../../../lib/server/sessions/session-limit.error.js';
import type { SessionOptions } from '../../../../../lib/server/settings/session-options.js';
import { buildSettings } from '../../../support/settings.js';

class Holder extends Activity implements SlotHolder {
  isLive = false;
  isRunning = false;
  isRead = false;
  isGone = false;
  isOver = false;
  readonly memory = undefined;
  identity: string | undefined;
  address: string | undefined;

  constructor(
    private readonly places: SessionSlots,
    { identity, address }: { identity?: string; address?: string } = {},
  ) {
    super();
    this.identity = identity;
    this.address = address;
    places.take(this);
  }

  evict(): void {
    this.isGone = true;
    this.places.release(this);
  }
}

describe('SessionPlaces', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const create = (sessions: SessionOptions) => new SessionSlots(buildSettings({ sessions }));
  const gone = (...holders: readonly Holder[]) => holders.map(({ isGone }) => isGone);

  /** Opens so many, each a second after the one before it. */
  function open(places: SessionSlots, count: number, caller?: { identity?: string; address?: string }) {
    return Array.from({ length: count }, () => {
      jest.advanceTimersByTime(1000);
      return new Holder(places, caller);
    }) as [Holder, Holder, ...Holder[]];
  }

  describe('of strangers', () => {
    it('are given up for another, the longest idle first (FAIR-04)', () => {
      const places = create({ maxSessions: 3 });
      const [first, second, third] = open(places, 3);
      places.use(first);
      places.use(second);
      open(places, 1);
      expect(gone(first, second, third!)).toEqual([false, false, true]);
      places.use(first);
      open(places, 1);
      expect(gone(first, second)).toEqual([false, false]);
    });

    it('that were used outlast those that were not (FAIR-04)', () => {
      const places = create({ maxSessions: 3 });
      const [used, unused] = open(places, 2);
      places.use(used);
      jest.advanceTimersByTime(60_000);
      open(places, 20);
      expect(gone(used, unused)).toEqual([false, true]);
    });

    it('are kept for a second after the handshake if others are idle, but for a quarter of the places (FAIR-03) (FAIR-10)', () => {
      const places = create({ maxSessions: 8 });
      const used = open(places, 7);
      for (const holder of used) places.use(holder);
      jest.advanceTimersByTime(60_000);
      const fresh = [1, 2, 3, 4].map(() => new Holder(places));
      expect(gone(...used.slice(0, 3), ...fresh)).toEqual([true, true, false, true, false, false, false]);
      jest.advanceTimersByTime(1000);
      const next = new Holder(places);
      expect(gone(...used.slice(0, 3), ...fresh, next)).toEqual([
        ...[true, true, false],
        ...[true, true, false, false, false],
      ]);
    });

    it('that are unconfirmed go first, then those without a use, then the longest idle (FAIR-10)', () => {
      const places = create({ maxSessions: 4 });
      const [used, usedLater, confirmed, unconfirmed] = open(places, 4) as unknown as Holder[];
      places.use(used!);
      jest.advanceTimersByTime(2000);
      places.use(usedLater!);
      confirmed!.isLive = true;
      places.renew(confirmed!);
      const order: (Holder | undefined)[] = [];
      const all = [used, usedLater, confirmed, unconfirmed];
      for (let count = 1; count <= 4; count += 1) {
        const [busy] = open(places, 1) as unknown as [Holder];
        busy.isRunning = true;
        order.push(...all.filter((holder) => holder!.isGone && !order.includes(holder)));
      }
      expect(order.map((holder) => all.indexOf(holder))).toEqual([3, 2, 0, 1]);
    });

    it('that are in use outlive every handshake, though all others have ended (FAIR-10)', () => {
      const places = create({ maxSessionsPerAddress: 3 });
      const address = '198.51.100.1';
      const [first, second, third] = open(places, 3, { address }) as unknown as [Holder, Holder, Holder];
      const useAll = () => [first, second, third].forEach((holder) => places.use(holder));
      useAll();
      jest.advanceTimersByTime(250);
      useAll();
      jest.advanceTimersByTime(4999);
      places.use(third);
      const refuse = () => expect(() => new Holder(places, { address })).toThrow(SessionLimitError);
      refuse();
      expect(gone(first, second, third)).toEqual([false, false, false]);
      jest.advanceTimersByTime(1);
      const flood = Array.from({ length: 20 }, () => new Holder(places, { address }));
      expect(gone(first, second, third, flood.at(-1)!)).toEqual([true, false, false, false]);
    });

    it('that were used once in passing are not in use, however lately (FAIR-10)', () => {
      const places = create({ maxSessions: 2 });
      const used = new Holder(places);
      places.use(used);
      jest.advanceTimersByTime(250);
      places.use(used);
      for (let count = 0; count < 1000; count += 1) {
        jest.advanceTimersByTime(1);
        places.use(new Holder(places));
      }
      expect(used.isGone).toBe(false);
    });

    it('that are in use make room for callers with a token, after all others (FAIR-03) (FAIR-10)', () => {
      const places = create({ maxSessions: 2 });
      const [used, unconfirmed] = open(places, 2);
      places.use(used);
      jest.advanceTimersByTime(250);
      places.use(used);
      expect([...places.selectIdle({})]).toEqual([unconfirmed]);
      expect([...places.selectIdle({}, true)]).toEqual([unconfirmed, used]);
      const ada = open(places, 1, { identity: 'ada' });
      expect(gone(used, unconfirmed)).toEqual([false, true]);
      const bob = new Holder(places, { identity: 'bob' });
      expect(gone(used, ...ada, bob)).toEqual([true, false, false]);
    });

    it('are never given up while a request runs, though their stream may be open (FAIR-04)', () => {
      const places = create({ maxSessions: 2 });
      const [running, reading] = open(places, 2);
      running.isRunning = true;
      reading.isRead = true;
      const [newest] = open(places, 1) as unknown as [Holder];
      expect(gone(running, reading)).toEqual([false, true]);
      newest.isRunning = true;
      expect(() => new Holder(places)).toThrow(SessionLimitError);
      newest.isRunning = false;
      expect([new Holder(places).isGone, newest.isGone]).toEqual([false, true]);
    });

    it('are bounded by address, each making room for its neighbors alone (FAIR-03)', () => {
      const places = create({ maxSessionsPerAddress: 2 });
      const [elsewhere] = open(places, 1, { address: '198.51.100.1' }) as unknown as [Holder];
      const [nowhere] = open(places, 1) as unknown as [Holder];
      const [first, second] = open(places, 2, { address: '198.51.100.2' });
      open(places, 1, { address: '198.51.100.2' });
      expect(gone(elsewhere, nowhere, first, second)).toEqual([false, false, true, false]);
    });

    it('have a part of all places and no more (FAIR-03)', () => {
      const places = create({ maxSessions: 4, maxAnonymousSessions: 2 });
      const [first] = open(places, 10);
      expect(first.isGone).toBe(true);
      const known = open(places, 2, { identity: 'ada' });
      expect(gone(...known)).toEqual([false, false]);
    });
  });

  describe('of callers with a token', () => {
    it('are not given up for strangers, who make room for them (FAIR-03)', () => {
      const places = create({ maxSessions: 2 });
      const [stranger] = open(places, 1) as unknown as [Holder];
      const ada = open(places, 2, { identity: 'ada' });
      expect(gone(stranger, ...ada)).toEqual([true, false, false]);
      expect(() => new Holder(places)).toThrow(SessionLimitError);
    });

    it('make room for the same caller, unless they are in use (FAIR-03)', () => {
      const places = create({ maxSessionsPerCaller: 3 });
      const [running, reading, idle] = open(places, 3, { identity: 'ada' });
      running.isRunning = true;
      reading.isRead = true;
      const [next] = open(places, 1, { identity: 'ada' }) as unknown as [Holder];
      expect(gone(running, reading, idle!)).toEqual([false, false, true]);
      next.isRead = true;
      expect(() => new Holder(places, { identity: 'ada' })).toThrow(SessionLimitError);
      expect(gone(next, new Holder(places, { identity: 'bob' }))).toEqual([false, false]);
    });

    it('make room for another caller if their own has most (FAIR-03)', () => {
      const places = create({ maxSessions: 4 });
      const [bob] = open(places, 1, { identity: 'bob' }) as unknown as [Holder];
      const [first, second, third] = open(places, 3, { identity: 'ada' });
      open(places, 1, { identity: 'eve' });
      expect(gone(bob, first, second, third!)).toEqual([false, true, false, false]);
    });

    it('of whom each has one are all kept (FAIR-03)', () => {
      const places = create({ maxSessions: 2 });
      const holders = ['ada', 'bob'].map((identity) => new Holder(places, { identity }));
      expect(() => new Holder(places, { identity: 'eve' })).toThrow(SessionLimitError);
      expect(gone(...holders)).toEqual([false, false]);
    });
  });

  it('that are over make room, though each caller has one (FAIR-03)', () => {
    const places = create({ maxSessions: 3 });
    const holders = ['ada', 'bob', 'eve'].map((identity) => new Holder(places, { identity }));
    expect(() => new Holder(places, { identity: 'fay' })).toThrow(SessionLimitError);
    Object.assign(holders[1]!, { isOver: true });
    expect(new Holder(places, { identity: 'fay' }).isGone).toBe(false);
    expect(gone(...holders)).toEqual([false, true, false]);
  });

  it('are listed in the order in which they make room (FAIR-04)', () => {
    const places = create({});
    const address = '198.51.100.1';
    const [used, unused, running, usedLater] = open(places, 4, { address });
    open(places, 1);
    places.use(used);
    jest.advanceTimersByTime(1000);
    places.use(usedLater!);
    jest.advanceTimersByTime(1);
    const fresh = new Holder(places, { address });
    running!.isRunning = true;
    expect([...places.selectIdle({ address })]).toEqual([unused, used, usedLater, fresh]);
    expect([...places.selectIdle({})]).toHaveLength(5);
  });

  describe('that pass from a stranger to a caller', () => {
    const bindTo = (holder: Holder, identity: string) => () => void Object.assign(holder, { identity });

    it('count for that one, and for nobody once they are released (FAIR-03)', () => {
      const places = create({ maxSessions: 2, maxAnonymousSessions: 1 });
      const stranger = new Holder(places, { address: '198.51.100.1' });
      places.transfer(stranger, 'ada', bindTo(stranger, 'ada'));
      const other = new Holder(places, { address: '198.51.100.1' });
      expect(gone(stranger, other)).toEqual([false, false]);
      const released = [stranger, stranger, other].map((holder) => places.release(holder));
      expect(released).toEqual([true, false, true]);
    });

    it('have the longest idle of that one make room (FAIR-03)', () => {
      const places = create({ maxSessionsPerCaller: 2 });
      const [first, second] = open(places, 2, { identity: 'ada' });
      const stranger = new Holder(places);
      places.transfer(stranger, 'ada', bindTo(stranger, 'ada'));
      expect(gone(first, second, stranger)).toEqual([true, false, false]);
    });

    it('stay where they were if that one has nobody idle, or cannot have them (FAIR-03)', () => {
      const places = create({ maxSessions: 4, maxSessionsPerCaller: 1 });
      const [stranger, later] = open(places, 2);
      const [own] = open(places, 1, { identity: 'ada' });
      const failure = new Error('no memory');
      const fail = () => {
        throw failure;
      };
      for (let attempt = 0; attempt < 3; attempt += 1)
        expect(() => places.transfer(stranger, 'ada', fail)).toThrow(failure);
      own.isRead = true;
      expect(() => places.transfer(stranger, 'ada', bindTo(stranger, 'ada'))).toThrow(SessionLimitError);
      expect(gone(own, stranger, later)).toEqual([false, false, false]);
      open(places, 2);
      expect(gone(own, stranger, later)).toEqual([false, true, false]);
    });
  });
});
