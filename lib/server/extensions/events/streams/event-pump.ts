import type { Subscription } from 'rxjs';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.js';
import type { EventError } from '../event.error.js';
import type { EventFeed } from '../feeds/event-feed.js';
import { isAtOrAfter, type LogPosition } from '../feeds/event-cursors.js';
import type { LoggedEvent } from '../feeds/replay-log.js';

/** The destination for a subscription's events. */
export interface EventSink {
  /** Whether it accepts more events now. Until then, they wait in the log. */
  hasRoom(): boolean;
  send(event: LoggedEvent): void;
  /** Reports events that were evicted from the log before they could be sent. */
  skip(): void;
  /** Reports a failure of the source. */
  problem(explanation: string): void;
  /** Called with the reason when the source has ended and all events were sent. */
  end(ending: EventError): void;
}

/** A feed, its recipient and where its events go. */
export interface PumpParts {
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly sink: EventSink;
  /** The number of the last event that the recipient received. */
  readonly after: number;
  /** The position up to which it has all events, if that may be ahead of this process. */
  readonly known?: LogPosition | undefined;
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 2000;

/** Moves events from a source log to a subscription as fast as its sink accepts them, without a buffer. */
export class EventPump {
  #recipient: EventRecipient;
  #after: number;
  #listening: Subscription | undefined;
  /** Why the source has ended. */
  #ending: EventError | undefined;
  #isOver = false;
  #waits = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(private readonly parts: PumpParts) {
    this.#recipient = parts.recipient;
    this.#after = parts.after;
  }

  /** The number of the last event that was sent or filtered out. */
  get after(): number {
    return this.#after;
  }

  /** The cursor after the last event. */
  get cursor(): string | null {
    return this.parts.feed.formatCursor(this.#after, this.parts.known);
  }

  /** Sends the logged events after the position, and then each new event. */
  start(): void {
    this.#listening = this.parts.feed.signals$.subscribe({
      next: (signal) => {
        if (signal.kind === 'event') this.#wake();
        else if (signal.kind === 'problem') this.#reportProblem(signal.explanation);
        else this.#finish(signal.ending);
      },
      complete: () => this.#finish(this.parts.feed.ending),
    });
    this.#wake();
  }

  /** Applies the recipient's current arguments and claims. */
  renew(recipient: EventRecipient): void {
    this.#recipient = recipient;
  }

  /** Stops sending. */
  stop(): void {
    this.#isOver = true;
    this.#stopWaiting?.();
    this.#listening?.unsubscribe();
  }

  #wake(): void {
    if (this.#stopWaiting !== undefined && !this.parts.sink.hasRoom()) return;
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    this.#move();
  }

  #move(): void {
    const { feed, sink } = this.parts;
    while (!this.#isOver) {
      const event = feed.log.findAfter(this.#after);
      if (event === undefined) return this.#rest(feed.log.beforeFirst);
      if (!sink.hasRoom()) return this.#wait();
      this.#waits = 0;
      const isGap = event.number > this.#after + 1;
      this.#after = event.number - 1;
      if (isGap) sink.skip();
      this.#after = event.number;
      if (!this.#isKnown(event) && feed.isFor(this.#recipient, event)) sink.send(event);
    }
  }

  #isKnown({ logPosition }: LoggedEvent): boolean {
    const { known } = this.parts;
    return known !== undefined && isAtOrAfter(known, logPosition);
  }

  /** @param reached the number before the oldest event that could be in the log */
  #rest(reached: number): void {
    if (this.#after < reached && this.parts.sink.hasRoom()) {
      this.#after = reached;
      this.parts.sink.skip();
    }
    if (this.#ending === undefined) return;
    this.stop();
    this.parts.sink.end(this.#ending);
  }

  /** Buffers are flushed at the end of a turn, so the first check runs in the next turn. Later checks back off. */
  #wait(): void {
    const look = (): void => {
      this.#stopWaiting = undefined;
      this.#move();
    };
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#waits, LONGEST_WAIT_MS);
    this.#stopWaiting = this.#waits === 0 ? callNextTurn(look) : callLater(look, waitMs);
    this.#waits += 1;
  }

  #finish(ending: EventError): void {
    this.#ending = ending;
    this.#wake();
  }

  #reportProblem(explanation: string): void {
    if (this.parts.sink.hasRoom()) this.parts.sink.problem(explanation);
  }
}

/** Schedules a function for the next turn. Returns a function that cancels it. */
function callNextTurn(act: () => void): () => void {
  const turn = setImmediate(act);
  return () => clearImmediate(turn);
}

/** Schedules a function without keeping the process alive. Returns a function that cancels it. */
function callLater(act: () => void, delayMs: number): () => void {
  const timer = setTimeout(act, delayMs).unref();
  return () => clearTimeout(timer);
}
