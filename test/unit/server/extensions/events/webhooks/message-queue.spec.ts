import { describe, expect, it } from '@jest/globals';
import {
  MessageQueue,
  type QueuedMessage,
  QueuedBytes,
} from '../../../../../../lib/server/extensions/events/webhooks/message-queue.js';

const BOUNDS = { maxQueued: 3, maxBodyBytes: 100 };

function message(n: number, bytes = 10): QueuedMessage {
  return { id: `evt_${n}`, body: Buffer.alloc(bytes), cursor: String(n), isGap: false };
}

function createQueue(mostBytes = 10_000) {
  return new MessageQueue(BOUNDS, new QueuedBytes(mostBytes));
}

function push(queue: MessageQueue, first: number, last: number): number {
  let lost = 0;
  for (let n = first; n <= last; n += 1) lost += queue.push(message(n));
  return lost;
}

/** Empties a queue: the ids of events, and the cursors of gaps with a mark before them. */
function empty(queue: MessageQueue): string[] {
  const found: string[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    found.push(next.isGap ? `gap ${JSON.parse(String(next.body)).cursor}` : next.id);
  }
  return found;
}

describe('The queue of a webhook receiver', () => {
  it('gives messages in their order (EVT-01)', () => {
    const queue = createQueue();
    expect(push(queue, 1, 3)).toBe(0);
    expect(queue).toHaveLength(3);
    expect(empty(queue)).toEqual(['evt_1', 'evt_2', 'evt_3']);
    expect(queue).toHaveLength(0);
  });

  it('loses the oldest beyond its bound and tells where the gap ends (EVT-01)', () => {
    const queue = createQueue();
    expect(push(queue, 1, 1000)).toBe(997);
    expect(queue).toHaveLength(4);
    expect(empty(queue)).toEqual(['gap 997', 'evt_998', 'evt_999', 'evt_1000']);
  });

  it('puts a gap in the place of a message that is too large (EVT-01)', () => {
    const queue = createQueue();
    expect(queue.push(message(1, 101))).toBe(1);
    expect(queue.push(message(2))).toBe(0);
    expect(queue.push(message(3, 101))).toBe(1);
    expect(queue.push(message(4, 101))).toBe(1);
    expect(queue.push(message(5, 100))).toBe(0);
    expect(empty(queue)).toEqual(['gap 1', 'evt_2', 'gap 4', 'evt_5']);
  });

  it('shares a bound of bytes with others, and is not pushed out by them (EVT-01)', () => {
    const bytes = new QueuedBytes(100);
    const [mine, other] = [new MessageQueue(BOUNDS, bytes), new MessageQueue(BOUNDS, bytes)];
    expect(mine.push(message(1, 60))).toBe(0);
    expect(other.push(message(2, 50))).toBe(1);
    expect(other.push(message(3, 40))).toBe(0);
    expect(mine.push(message(4, 60))).toBe(1);
    expect(empty(mine)).toEqual(['gap 1', 'evt_4']);
    expect(empty(other)).toEqual(['gap 2', 'evt_3']);
    expect(bytes.hasRoomFor(100)).toBe(true);
  });

  it('tells of a gap up to the newest event where others have all the room (EVT-01)', () => {
    const bytes = new QueuedBytes(100);
    const [mine, other] = [new MessageQueue(BOUNDS, bytes), new MessageQueue(BOUNDS, bytes)];
    mine.push(message(1, 90));
    other.push(message(2));
    expect(other.push(message(3, 50))).toBe(2);
    expect(empty(other)).toEqual(['gap 3']);
  });

  it('puts a gap where a message was that could not be sent, before what was lost behind it (EVT-01)', () => {
    const queue = createQueue();
    push(queue, 1, 3);
    const first = queue.shift() as QueuedMessage;
    expect(queue.lose(first)).toBe(1);
    expect(empty(queue)).toEqual(['gap 1', 'evt_2', 'evt_3']);
    push(queue, 4, 8);
    expect(queue.lose(first)).toBe(1);
    expect(empty(queue)).toEqual(['gap 5', 'evt_6', 'evt_7', 'evt_8']);
  });

  it('counts no gap as an event (EVT-01)', () => {
    const queue = createQueue();
    queue.skip('7');
    const gap = queue.shift() as QueuedMessage;
    expect(queue.lose(gap)).toBe(0);
    push(queue, 8, 8);
    queue.skip('9');
    expect(queue.clear()).toBe(1);
    expect(empty(queue)).toEqual(['gap 9']);
  });

  it('gives all bytes back when it is emptied, whatever was in it (EVT-01)', () => {
    const bytes = new QueuedBytes(1000);
    const queue = new MessageQueue(BOUNDS, bytes);
    for (let n = 1; n <= 50; n += 1) {
      queue.push(message(n, 90));
      if (n % 3 === 0) queue.skip(`${n}`);
      if (n % 7 === 0) queue.push(message(n, 101));
      if (n % 5 === 0) queue.shift();
    }
    expect(bytes.hasRoomFor(1000)).toBe(false);
    queue.clear();
    expect(bytes.hasRoomFor(1000)).toBe(true);
    expect(bytes.hasRoomFor(1001)).toBe(false);
  });

  it('tells of a gap without a cursor where the source has none (EVT-01)', () => {
    const queue = createQueue();
    queue.skip(undefined);
    const gap = queue.shift() as QueuedMessage;
    expect(String(gap.body)).toBe('{"type":"gap"}');
    expect(gap.id).toMatch(/^msg_gap_[\w-]{16}$/);
  });
});
