import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { concat, defer, EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import type {
  EventFeed,
  FeedSignal,
} from '../../../../../../lib/server/extensions/events/feeds/event-feed.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { ANYBODY, buildFeed, listKept } from '../../../../support/event-feed.js';

interface Heard {
  readonly signals: FeedSignal[];
  isOver: boolean;
  stop(): void;
}

function listen({ signals$ }: EventFeed): Heard {
  const heard: Heard = { signals: [], isOver: false, stop: () => listening.unsubscribe() };
  const listening = signals$.subscribe({
    next: (signal) => heard.signals.push(signal),
    complete: () => (heard.isOver = true),
  });
  return heard;
}

describe('EventFeed', () => {
  let log: CapturedLog;

  beforeEach(() => {
    log = CapturedLog.begin();
  });

  afterEach(() => {
    log.release();
    jest.useRealTimers();
  });

  it('keeps events from its start on, whether anybody listens or not (EVT-01)', () => {
    const values = new Subject<object>();
    const feed = buildFeed(values);
    values.next({ id: 0 });
    feed.start();
    values.next({ id: 1 });
    const heard = listen(feed);
    values.next({ id: 2 });
    heard.stop();
    values.next({ id: 3 });
    expect(listKept(feed)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(heard.signals).toEqual([{ kind: 'event' }]);
    feed.stop();
    expect(values.observed).toBe(false);
  });

  it('subscribes to a source without cursors while somebody listens, once for all, and keeps nothing (EVT-01)', () => {
    const values = new Subject<object>();
    let subscriptions = 0;
    const counted$ = defer(() => {
      subscriptions += 1;
      return values;
    });
    const feed = buildFeed(counted$, { options: { cursorless: true } });
    feed.start();
    expect(values.observed).toBe(false);
    const listeners = [listen(feed), listen(feed)];
    values.next({ id: 1 });
    expect(listeners.map(({ signals }) => signals.length)).toEqual([1, 1]);
    expect([subscriptions, feed.log.size]).toEqual([1, 1]);
    for (const listener of listeners) listener.stop();
    expect([values.observed, feed.log.size]).toEqual([false, 0]);
    listen(feed);
    expect([subscriptions, values.observed]).toEqual([2, true]);
  });

  it('hears what a source gives at once when it is subscribed to (EVT-01)', () => {
    const feed = buildFeed(concat(of({ id: 1 }), NEVER), { options: { cursorless: true } });
    expect(listen(feed).signals).toEqual([{ kind: 'event' }]);
  });

  it('leaves out payloads that cannot be sent, logs why and tells that something is missing (EVT-01)', () => {
    const values = new Subject<unknown>();
    const feed = buildFeed(values, { options: { payloadSchema: { type: 'object', required: ['id'] } } });
    feed.start();
    const heard = listen(feed);
    values.next('secret text');
    values.next({ name: 'secret' });
    values.next({ id: 1 });
    expect(listKept(feed)).toEqual([{ id: 1 }]);
    expect(heard.signals.map(({ kind }) => kind)).toEqual(['problem', 'problem', 'event']);
    expect(JSON.stringify(heard.signals)).not.toContain('secret');
    expect(log.errors[0]).toContain('An event from the source "ticket.closed" was dropped');
  });

  it('subscribes again to a source that fails, later each time, and from the start after an event (EVT-01)', () => {
    jest.useFakeTimers();
    let attempts = 0;
    const failing$ = defer(() => {
      attempts += 1;
      return attempts === 3
        ? concat(
            of({ id: attempts }),
            throwError(() => new Error('lost')),
          )
        : throwError(() => new Error('the password is swordfish'));
    });
    const feed = buildFeed(failing$);
    const heard = listen(feed);
    expect(attempts).toBe(1);
    jest.advanceTimersByTime(999);
    expect(attempts).toBe(1);
    jest.advanceTimersByTime(1);
    expect(attempts).toBe(2);
    jest.advanceTimersByTime(2000);
    expect(attempts).toBe(3);
    jest.advanceTimersByTime(1000);
    expect(attempts).toBe(4);
    expect(heard.signals.map(({ kind }) => kind)).toEqual([
      'problem',
      'problem',
      'event',
      'problem',
      'problem',
    ]);
    expect(JSON.stringify(heard.signals)).not.toContain('swordfish');
    expect(log.errors[0]).toContain('failed: resubscribing in 1000 ms: the password is swordfish');
    feed.stop();
    jest.advanceTimersByTime(3_600_000);
    expect(attempts).toBe(4);
    expect(heard.isOver).toBe(false);
  });

  it('ends with its source, and keeps what that gave (EVT-01)', () => {
    const feed = buildFeed(of({ id: 1 }, { id: 2 }));
    feed.start();
    expect(listKept(feed)).toHaveLength(2);
    expect(listen(feed)).toMatchObject({ isOver: true, signals: [] });
    expect(listen(buildFeed(EMPTY, { options: { cursorless: true } })).isOver).toBe(true);
  });

  it('names events itself, or as the application says (EVT-01)', () => {
    const values = new Subject<{ id: string | number }>();
    const own = buildFeed(values);
    const named = buildFeed(values, { options: { eventId: ({ id }) => id as string } });
    for (const feed of [own, named]) feed.start();
    values.next({ id: 'a' });
    values.next({ id: 2 });
    expect(own.log.findAfter(0)?.eventId).toMatch(/^evt_[\w-]+_1$/);
    expect(own.log.findAfter(1)?.eventId).toMatch(/^evt_[\w-]+_2$/);
    expect(named.log.findAfter(0)?.eventId).toBe('a');
    expect(named.log.last).toBe(1);
    expect(log.errors[0]).toContain('"eventId" must return a non-empty string');
  });

  it.each([[undefined], [Promise.resolve(true)], [1]])(
    'gives nobody an event where the filter says %p, and neither yes nor no (EVT-01)',
    (answer) => {
      const feed = buildFeed(of({ id: 1 }), { options: { filter: () => answer as unknown as boolean } });
      feed.start();
      expect(feed.isFor(ANYBODY, feed.log.findAfter(0)!)).toBe(false);
    },
  );

  it('gives nobody an event that the filter cannot judge (EVT-01)', () => {
    const feed = buildFeed(of({ id: 1 }), {
      options: {
        filter: () => {
          throw new Error('broken');
        },
      },
    });
    feed.start();
    expect(feed.isFor(ANYBODY, feed.log.findAfter(0)!)).toBe(false);
    expect(log.errors[0]).toContain('The filter for the event source "ticket.closed" failed: broken');
  });
});
