import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Subject } from 'rxjs';
import type { EventFeed } from '../../../../../../lib/server/extensions/events/feeds/event-feed.js';
import { findPosition } from '../../../../../../lib/server/extensions/events/feeds/find-position.js';
import { buildFeed, CURSORS } from '../../../../support/event-feed.js';
import { passTime, stopClocks } from '../../../../support/clocks.js';

function moveAhead(cursor: string | null): string {
  const { source = '', logPosition } = CURSORS.parse(cursor ?? '') ?? {};
  return CURSORS.format({ source, logPosition: { run: logPosition?.run ?? '', number: 1000 } });
}

const find = (feed: EventFeed, cursor?: string | null, maxAgeMs?: number) =>
  findPosition(feed, { cursor: cursor ?? undefined, maxAgeMs });

describe('The position of a cursor (EVT-01)', () => {
  let values: Subject<object>;
  let feed: EventFeed;

  beforeEach(() => {
    stopClocks();
    values = new Subject();
    feed = buildFeed(values, { limits: { logSize: 3 } });
    feed.start();
  });

  afterEach(() => {
    feed.stop();
    jest.useRealTimers();
  });

  function emit(count: number): void {
    for (let number = 0; number < count; number += 1) values.next({ number });
  }

  it('is where the source stands, without a cursor (EVT-01)', () => {
    emit(2);
    expect(find(feed)).toEqual({ after: 2, isTruncated: false });
  });

  it('is where it was written, as long as everything behind it is kept (EVT-01)', () => {
    emit(2);
    const cursor = feed.formatCursor(2);
    emit(3);
    expect(find(feed, cursor)).toEqual({ after: 2, isTruncated: false });
    emit(1);
    expect(find(feed, cursor)).toEqual({ after: 3, isTruncated: true });
  });

  it.each([
    ['of another run', () => buildFeed(new Subject()).formatCursor(0)],
    ['of nobody', () => 'bm9ib2R5'],
    ['that was changed', (own: string | null) => `${own}x`],
    ['that is ahead of the source', (own: string | null) => moveAhead(own)],
  ])('is before everything that is kept, and told as a gap, for a cursor %s (EVT-01)', (_case, write) => {
    emit(4);
    expect(find(feed, write(feed.formatCursor(4)))).toEqual({ after: 1, isTruncated: true });
  });

  it('is not older than is asked for (EVT-01)', () => {
    emit(1);
    const cursor = feed.formatCursor(0);
    passTime(10_000);
    emit(1);
    expect(find(feed, cursor, 20_000)).toEqual({ after: 0, isTruncated: false });
    expect(find(feed, cursor, 5_000)).toEqual({ after: 1, isTruncated: true });
    expect(find(feed, feed.formatCursor(1), 5_000)).toEqual({ after: 1, isTruncated: false });
    passTime(10_000);
    expect(find(feed, cursor, 5_000)).toEqual({ after: 2, isTruncated: true });
  });

  it('is refused where the cursor is of another source (EVT-01)', () => {
    const other = buildFeed(new Subject(), { options: { name: 'ticket.opened' } });
    expect(() => find(feed, other.formatCursor(0))).toThrow('"cursor" belongs to a different event');
  });

  it('is always now where the source has no cursors (EVT-01)', () => {
    const cursorless = buildFeed(values, { options: { cursorless: true } });
    expect(cursorless.formatCursor(7)).toBeNull();
    expect(find(cursorless, 'whatever', 1)).toEqual({ after: 0, isTruncated: false });
  });
});

describe('EventCursors', () => {
  it('read what they wrote, and nothing of another shape (EVT-01)', () => {
    const logPosition = { run: 'r', number: 7 };
    const position = { source: 'ticket.closed', logPosition };
    expect(CURSORS.parse(CURSORS.format(position))).toEqual(position);
    const own = { source: 'ticket.closed', logPosition: { ...logPosition, own: 2, by: 'here' } };
    expect(CURSORS.parse(CURSORS.format(own))).toEqual(own);
    expect(
      CURSORS.parse(CURSORS.format({ ...position, logPosition: { run: 'r', number: 1.5 } })),
    ).toBeUndefined();
  });
});
