import type { Subscription, Observable } from 'rxjs';
import { HeapCost } from '../../../memory/heap-costs.js';
import type { MemoryHold } from '../../../memory/memory-hold.js';
import type { StreamEvent } from '../../../sessions/streams/event-log.js';
import type { ForwardedEvent, ForwardedEvents } from './call-stream-messages.js';

/** Bytes that may be on their way to a reading, which has not said yet that it has taken them. */
const MOST_ON_THE_WAY = 262_144;

/** Bytes that may wait without being counted. */
const UNCOUNTED_BYTES = 65_536;

/** The parts of the forwarding of one stream. */
export interface ForwardParts {
  readonly reading: string;
  readonly formatId: (event: StreamEvent) => string;
  readonly tell: (events: ForwardedEvents) => void;
  /** Counts waiting messages as memory of the reader. */
  readonly memory: MemoryHold;
  /** Bytes that may wait, in addition to the messages kept when the reader came. */
  readonly mostWaiting: number;
  /** Called once, when there is nothing more to forward. */
  readonly onEnd: () => void;
}

interface Waiting extends ForwardedEvent {
  readonly size: number;
  /** Whether it shows that its stream lives. */
  readonly showsLife: boolean;
}

/** Forwards one stream to the process that its reader came to, at the pace of that process. */
export class Forward {
  /** When its reader was last heard of, as `performance.now()` counts. */
  heardAt = performance.now();
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #mostWaiting = Number.POSITIVE_INFINITY;
  /** Sizes of the messages that are on their way, oldest first. */
  #onTheWay: number[] = [];
  #onTheWaySize = 0;
  #sent = 0;
  /** Messages that were sent when the reader last said how far it is. */
  #sentBefore = 0;
  #isComplete = false;
  #isEnded = false;
  #subscription: Subscription | undefined;

  constructor(private readonly parts: ForwardParts) {}

  /** Begins: what is kept waits at once, however much it is. */
  start(events$: Observable<StreamEvent>): void {
    this.#subscription = events$.subscribe(this);
    if (this.#isEnded) return this.#subscription.unsubscribe();
    this.#mostWaiting = this.parts.mostWaiting + this.#waitingSize;
  }

  next(event: StreamEvent): void {
    if (this.#isEnded) return;
    const { json, isOfLiveStream: showsLife = false } = event.message;
    const size = HeapCost.event + json.length;
    this.#waiting.push({ id: this.parts.formatId(event), json, size, showsLife });
    this.#waitingSize += size;
    this.#sendOn();
    // A returning client gets the messages that the session keeps.
    if (this.#waitingSize > this.#mostWaiting || !this.#countWaiting()) this.end();
  }

  complete(): void {
    this.#isComplete = true;
    this.#sendOn();
  }

  /** Is told how many messages the reader has taken. */
  take(count: number): void {
    this.heardAt = performance.now();
    while (this.#sent - this.#onTheWay.length < count && this.#onTheWay.length > 0) {
      this.#onTheWaySize -= this.#onTheWay.shift() ?? 0;
    }
    this.#sendOn();
    this.#countWaiting();
  }

  /** Is told how many messages the reader got. Tells whether one was lost, because it was sent before the reader's last report. */
  hasLost(given: number): boolean {
    this.heardAt = performance.now();
    const isLost = given < this.#sentBefore;
    this.#sentBefore = this.#sent;
    return isLost;
  }

  /** Ends it: the reader is gone, or is to come back. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#waiting = [];
    this.#subscription?.unsubscribe();
    this.parts.memory.release();
    this.parts.onEnd();
  }

  #sendOn(): void {
    while (!this.#isEnded && this.#mayStillSend) {
      const events = this.#takeBatch();
      const isLast = this.#isComplete && this.#waiting.length === 0;
      const size = events.reduce((sum, event) => sum + event.size, 0);
      this.#sent += 1;
      this.#onTheWay.push(size);
      this.#onTheWaySize += size;
      this.parts.tell({
        reading: this.parts.reading,
        count: this.#sent,
        events: events.map(({ id, json }) => ({ id, json })),
        isLast,
        ...(events.some(({ showsLife }) => showsLife) && { showsLife: true }),
      });
      if (isLast) this.end();
    }
  }

  get #mayStillSend(): boolean {
    if (this.#waiting.length === 0) return this.#isComplete;
    return this.#onTheWaySize < MOST_ON_THE_WAY;
  }

  /** One event goes at least, of any size. */
  #takeBatch(): readonly Waiting[] {
    let room = MOST_ON_THE_WAY - this.#onTheWaySize;
    let count = 0;
    for (const { size } of this.#waiting) {
      if (count > 0 && size > room) break;
      room -= size;
      count += 1;
    }
    const batch = this.#waiting.splice(0, count);
    for (const { size } of batch) this.#waitingSize -= size;
    return batch;
  }

  /** Counts what waits, and tells whether there is room for it. */
  #countWaiting(): boolean {
    const { memory } = this.parts;
    const bytes = this.#waitingSize > UNCOUNTED_BYTES ? this.#waitingSize : 0;
    if (bytes <= memory.bytes) memory.resize(bytes);
    return bytes <= memory.bytes || memory.tryAdd(bytes - memory.bytes);
  }
}
