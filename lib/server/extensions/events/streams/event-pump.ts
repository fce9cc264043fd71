import type { Subscription } from 'rxjs';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.js';
import type { EventError } from '../event.error.js';
import type { EventFeed } from '../feeds/event-feed.js';
import { isAtOrBehind, type EventPlace } from '../feeds/event-cursors.js';
import type { KeptEvent } from '../feeds/replay-log.js';

/** Where the events of one subscription go. */
export interface EventSink {
  /** Whether it accepts more now. Other events stay in the log, as long as the log keeps them. */
  hasRoom(): boolean;
  send(event: KeptEvent): void;
  /** Tells about events that the log lost before there was room for them. */
  skip(): void;
  /** Tells about something that is missing for everybody. */
  fault(explanation: string): void;
  /** Is called with the reason when everything was sent and nothing more will come. */
  end(ending: EventError): void;
}

/** Who gets what from where. */
export interface PumpParts {
  readonly feed: EventFeed;
  readonly recipient: EventRecipient;
  readonly sink: EventSink;
  /** The number of the last event that the recipient has. */
  readonly after: number;
  /** What it has got everything up to, if it may be ahead of this process. */
  readonly known?: EventPlace | undefined;
}

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 2000;

/** Moves events from the log of a source to one subscription, as fast as that takes them; it keeps nothing itself. */
export class EventPump {
  #recipient: EventRecipient;
  #after: number;
  #listening: Subscription | undefined;
  /** Why nothing more will come. */
  #ending: EventError | undefined;
  #isOver = false;
  #waits = 0;
  #stopWaiting: (() => void) | undefined;

  constructor(private readonly parts: PumpParts) {
    this.#recipient = parts.recipient;
    this.#after = parts.after;
  }

  /** The number of the last event that was sent, or passed over as somebody else's. */
  get after(): number {
    return this.#after;
  }

  /** How far it has come, as a cursor. */
  get cursor(): string | null {
    return this.parts.feed.formatCursor(this.#after, this.parts.known);
  }

  /** Sends the kept events after the position, and then each new event. */
  start(): void {
    this.#listening = this.parts.feed.signals$.subscribe({
      next: (signal) => {
        if (signal.kind === 'event') this.#wake();
        else if (signal.kind === 'fault') this.#reportFault(signal.explanation);
        else this.#finish(signal.ending);
      },
      complete: () => this.#finish(this.parts.feed.ending),
    });
    this.#wake();
  }

  /** Applies the recipient's new rights from now on. */
  renew(recipient: EventRecipient): void {
    this.#recipient = recipient;
  }

  /** Sends nothing any more. */
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

  #isKnown({ place }: KeptEvent): boolean {
    const { known } = this.parts;
    return known !== undefined && isAtOrBehind(known, place);
  }

  /** @param reached the number before that of the oldest event that could be there */
  #rest(reached: number): void {
    if (this.#after < reached && this.parts.sink.hasRoom()) {
      this.#after = reached;
      this.parts.sink.skip();
    }
    if (this.#ending === undefined) return;
    this.stop();
    this.parts.sink.end(this.#ending);
  }

  /** Data of one turn is sent only after the turn. So the first check comes at once, and each further one later. */
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

  #reportFault(explanation: string): void {
    if (this.parts.sink.hasRoom()) this.parts.sink.fault(explanation);
  }
}

/** Calls a function in the next turn. Returns a function that cancels this. */
function callNextTurn(act: () => void): () => void {
  const turn = setImmediate(act);
  return () => clearImmediate(turn);
}

/** Calls a function after a while, without keeping the process alive. Returns a function that cancels this. */
function callLater(act: () => void, delayMs: number): () => void {
  const timer = setTimeout(act, delayMs).unref();
  return () => clearTimeout(timer);
}
