import { describe, expect, it } from '@jest/globals';
import { of, Subject, throwError } from 'rxjs';
import {
  EventPump,
  type EventSink,
} from '../../../../../../lib/server/extensions/events/streams/event-pump.js';
import type { EventFeed } from '../../../../../../lib/server/extensions/events/feeds/event-feed.js';
import type { EventRecipient } from '../../../../../../lib/server/settings/extensions/event-source-options.js';
import { until } from '../../../../../support/until.js';
import { CapturedLog } from '../../../../support/captured-log.js';
import { ANYBODY, buildFeed } from '../../../../support/event-feed.js';

/** Keeps what it is given, as long as there is room. */
class RecordingSink implements EventSink {
  readonly heard: unknown[] = [];
  room = Number.POSITIVE_INFINITY;

  hasRoom(): boolean {
    return this.room > 0;
  }

  send({ number }: { readonly number: number }): void {
    this.room -= 1;
    this.heard.push(number);
  }

  skip(): void {
    this.heard.push('gap');
  }

  problem(): void {
    this.heard.push('problem');
  }

  end(): void {
    this.heard.push('end');
  }
}

function pump(feed: EventFeed, parts: { after?: number; recipient?: EventRecipient; room?: number } = {}) {
  const { after = 0, recipient = ANYBODY, room } = parts;
  const sink = new RecordingSink();
  if (room !== undefined) sink.room = room;
  const started = new EventPump({ feed, recipient, sink, after });
  started.start();
  return { pump: started, sink };
}

function start(limits: { logSize?: number } = {}, options = {}) {
  const values = new Subject<object>();
  const feed = buildFeed(values, { limits, options });
  feed.start();
  const emit = (count: number): void => {
    for (let id = 0; id < count; id += 1) values.next({ id });
  };
  return { values, feed, emit };
}

describe('EventPump', () => {
  it('sends what is kept behind the position and then what comes, each once and in order (EVT-01)', () => {
    const { feed, emit } = start();
    emit(3);
    const { sink } = pump(feed, { after: 1 });
    emit(2);
    expect(sink.heard).toEqual([2, 3, 4, 5]);
  });

  it('passes over what is for others, and its position with it (EVT-01)', () => {
    const { feed, emit } = start({}, { filter: ({ id }: { id: number }) => id === 1 });
    const started = pump(feed);
    emit(3);
    expect(started.sink.heard).toEqual([2]);
    expect(started.pump.after).toBe(3);
  });

  it('waits while there is no room, and then goes on where it was (EVT-01)', async () => {
    const { feed, emit } = start();
    const { sink } = pump(feed, { room: 2 });
    emit(5);
    expect(sink.heard).toEqual([1, 2]);
    sink.room = 100;
    await until(() => sink.heard.length === 5, 'the rest');
    emit(1);
    expect(sink.heard).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('tells of a gap where the log lost what there was no room for (EVT-01)', async () => {
    const { feed, emit } = start({ logSize: 2 });
    const { sink } = pump(feed, { room: 1 });
    emit(6);
    sink.room = 100;
    await until(() => sink.heard.length === 4, 'the rest');
    expect(sink.heard).toEqual([1, 'gap', 5, 6]);
  });

  it('tells of a gap of a source without cursors too (EVT-01)', async () => {
    const { feed, emit } = start({ logSize: 1 }, { cursorless: true });
    const { sink } = pump(feed, { room: 0 });
    emit(3);
    sink.room = 1;
    await until(() => sink.heard.length === 2, 'what is left');
    expect(sink.heard).toEqual(['gap', 3]);
  });

  it('hears of the end behind everything that is kept (EVT-01)', async () => {
    const feed = buildFeed(of({ id: 1 }, { id: 2 }));
    feed.start();
    const { sink } = pump(feed, { room: 1 });
    expect(sink.heard).toEqual([1]);
    sink.room = 1;
    await until(() => sink.heard.includes('end'), 'the end');
    expect(sink.heard).toEqual([1, 2, 'end']);
  });

  it('sends what a source without cursors gave before it ended, however slowly (EVT-01)', async () => {
    const { feed, emit, values } = start({}, { cursorless: true });
    const slow = pump(feed, { room: 1 });
    const quick = pump(feed);
    emit(3);
    values.complete();
    slow.sink.room = 100;
    await until(() => slow.sink.heard.includes('end'), 'the end');
    expect(slow.sink.heard).toEqual([1, 2, 3, 'end']);
    expect(quick.sink.heard).toEqual([1, 2, 3, 'end']);
  });

  it('tells of faults where there is room for them (EVT-01)', () => {
    const log = CapturedLog.begin();
    const feeds = [1, 2].map(() => buildFeed(throwError(() => new Error('lost'))));
    const sinks = feeds.map((feed, room) => pump(feed, { room: 1 - room }).sink);
    log.release();
    for (const feed of feeds) feed.stop();
    expect(sinks.map(({ heard }) => heard)).toEqual([['problem'], []]);
  });

  it('leaves nothing behind when it is stopped, waiting or not (EVT-01)', async () => {
    const { feed, emit, values } = start({}, { cursorless: true });
    const waiting = pump(feed, { room: 0 });
    const moving = pump(feed);
    emit(1);
    waiting.pump.stop();
    moving.pump.stop();
    waiting.sink.room = 100;
    emit(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect([waiting.sink.heard, moving.sink.heard, values.observed]).toEqual([[], [1], false]);
  });
});
