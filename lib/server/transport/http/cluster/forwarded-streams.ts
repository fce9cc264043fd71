import type { OnApplicationShutdown } from '@nestjs/common';
import type { MemoryBudget, MemoryReservation } from '../../../memory/memory-budget.js';
import type { ClusterBus } from '../../../cluster/cluster-bus.js';
import { findForwardedSession, readHolder } from '../../../sessions/forwarded-sender.js';
import type { SessionRegistry } from '../../../sessions/session-registry.js';
import { holdsScopes } from '../../../sessions/streams/scope-holder.interface.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import {
  EVENTS_TAKEN,
  type ForwardedEvent,
  type ForwardedEvents,
  OPEN_STREAM,
  type ReadingsReport,
  type ReadingsVerdict,
  REPORT_READINGS,
  STREAM_EVENTS,
  STREAM_LEFT,
  type StreamResponse,
  type StreamRequest,
} from './call-stream-messages.js';
import type { Observable, Subscription } from 'rxjs';
import { HeapCost } from '../../../memory/memory-limits.js';
import type { StreamEvent } from '../../../sessions/streams/event-log.js';

/** Milliseconds without a message after which a reader counts as gone. */
const SILENCE_MS = 30_000;

/** Forwards the streams of this process's calls to clients that reconnected to other processes. */
export class ForwardedStreams implements OnApplicationShutdown {
  readonly #forwards = new Map<string, ForwardedStream>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(
    private readonly bus: ClusterBus,
    private readonly sessions: SessionRegistry,
    private readonly memory: MemoryBudget,
    private readonly settings: Pick<ServerSettings, 'streams'>,
  ) {
    if (!bus.isShared) return;
    bus.respond(OPEN_STREAM, (request) => this.#open(request));
    bus.respond(REPORT_READINGS, (report) => this.#judge(report));
    bus.on(EVENTS_TAKEN, ({ reading, count }) => this.#forwards.get(reading)?.acknowledge(count));
    bus.on(STREAM_LEFT, ({ reading }) => this.#forwards.get(reading)?.end());
  }

  onApplicationShutdown(): void {
    clearInterval(this.#sweeper);
    for (const forward of this.#forwards.values()) forward.end();
  }

  #open(request: StreamRequest): StreamResponse {
    const { sender, lastEventId, reading } = request;
    const session = findForwardedSession(this.sessions, sender);
    const { scopes: required = [], showsLife = false } = session?.streams.find(lastEventId) ?? {};
    // A retry whose stream has already started, because the first response was lost.
    if (this.#forwards.has(reading)) return { showsLife };
    if (session === undefined) return { failure: 'unknown' };
    const { streams } = session;
    const holder = readHolder(sender);
    if (!holdsScopes(holder, required)) return { required };
    const events$ = streams.resume(lastEventId, holder);
    if (typeof events$ === 'string') return { failure: events$ };
    const forward = new ForwardedStream({
      reading,
      formatId: (event) => streams.formatId(event),
      send: (events) => this.bus.send(STREAM_EVENTS, events, request.member),
      memory: this.memory.hold({ identity: session.identity, address: session.address }, 0, true),
      mostWaiting: this.settings.streams.maxQueuedBytes,
      onEnd: () => void this.#forwards.delete(reading),
    });
    this.#forwards.set(reading, forward);
    this.#sweeper ??= setInterval(() => this.#sweep(), SILENCE_MS).unref();
    forward.start(events$);
    return { showsLife };
  }

  #judge({ given }: ReadingsReport): ReadingsVerdict {
    const lost = Object.entries(given).filter(([reading, count]) => {
      const forward = this.#forwards.get(reading);
      if (forward === undefined) return true;
      if (!forward.hasLost(count)) return false;
      forward.end();
      return true;
    });
    return { lost: lost.map(([reading]) => reading) };
  }

  #sweep(): void {
    const deadline = performance.now() - SILENCE_MS;
    for (const forward of this.#forwards.values()) if (forward.lastSeenAt < deadline) forward.end();
  }
}

/** The number of bytes that may be sent without an acknowledgement. */
const MOST_ON_THE_WAY = 262_144;

/** Queued bytes that are not counted. */
const UNCOUNTED_BYTES = 65_536;

/** Parameters of a forwarded stream. */
export interface ForwardedStreamParts {
  readonly reading: string;
  readonly formatId: (event: StreamEvent) => string;
  readonly send: (events: ForwardedEvents) => void;
  /** Counts queued messages for the reader. */
  readonly memory: MemoryReservation;
  /** The number of bytes that may be queued, in addition to those stored before the reader connected. */
  readonly mostWaiting: number;
  /** Called once, when the stream has ended. */
  readonly onEnd: () => void;
}

interface Waiting extends ForwardedEvent {
  readonly size: number;
  /** Whether it serves as a heartbeat. */
  readonly showsLife: boolean;
}

/** Forwards one stream to its reader's process, at that process's pace. */
export class ForwardedStream {
  /** The time of the reader's last message, from `performance.now()`. */
  lastSeenAt = performance.now();
  #waiting: Waiting[] = [];
  #waitingSize = 0;
  #mostWaiting = Number.POSITIVE_INFINITY;
  /** Sizes of unacknowledged messages, oldest first. */
  #onTheWay: number[] = [];
  #onTheWaySize = 0;
  #sent = 0;
  /** The number of messages sent at the time of the reader's last report. */
  #sentBefore = 0;
  #isComplete = false;
  #isEnded = false;
  #subscription: Subscription | undefined;

  constructor(private readonly parts: ForwardedStreamParts) {}

  /** Starts the stream. Stored events are queued immediately, however many there are. */
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
    // A client that reconnects receives the stored messages.
    if (this.#waitingSize > this.#mostWaiting || !this.#countWaiting()) this.end();
  }

  complete(): void {
    this.#isComplete = true;
    this.#sendOn();
  }

  /** Processes the reader's acknowledgement of messages. */
  acknowledge(count: number): void {
    this.lastSeenAt = performance.now();
    while (this.#sent - this.#onTheWay.length < count && this.#onTheWay.length > 0) {
      this.#onTheWaySize -= this.#onTheWay.shift() ?? 0;
    }
    this.#sendOn();
    this.#countWaiting();
  }

  /** Whether a message was lost: one sent before the reader's previous report that it still has not received. */
  hasLost(given: number): boolean {
    this.lastSeenAt = performance.now();
    const isLost = given < this.#sentBefore;
    this.#sentBefore = this.#sent;
    return isLost;
  }

  /** Ends it because the reader is gone or should reconnect. */
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
      this.parts.send({
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

  /** Takes at least one event, even if it is large. */
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

  /** Counts the queue. Returns whether it fits. */
  #countWaiting(): boolean {
    const { memory } = this.parts;
    const bytes = this.#waitingSize > UNCOUNTED_BYTES ? this.#waitingSize : 0;
    if (bytes <= memory.bytes) memory.resize(bytes);
    return bytes <= memory.bytes || memory.tryAdd(bytes - memory.bytes);
  }
}
