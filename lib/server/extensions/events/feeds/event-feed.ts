import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Observable, retry, Subject, Subscription, timer } from 'rxjs';
import type { EventRecipient } from '../../../settings/extensions/event-source-options.interface.js';
import type { EventsSettings } from '../../../settings/extensions/events-settings.js';
import { describeFailure } from './describe-failure.js';
import type { EventCursors, EventPosition } from './event-cursors.js';
import type { EventSourceEntry } from './event-source-entry.js';
import { PayloadQueue } from './payload-queue.js';
import type { CopiedPayload, ReadPayload } from './read-payload.js';
import { ReplayLog, type KeptEvent } from './replay-log.js';

/** What a source tells who listens: that there is an event more, or that something is missing. */
export type FeedSignal =
  { readonly kind: 'event' } | { readonly kind: 'fault'; readonly explanation: string };

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** One source at work: what it emits becomes events, which are kept for a while and told to whoever listens. */
export class EventFeed {
  /** Tells of events; completes when the source has nothing more to give. */
  readonly signals$: Observable<FeedSignal>;
  readonly log: ReplayLog;
  readonly #logger = new Logger('McpEvents');
  readonly #signals = new Subject<FeedSignal>();
  readonly #payloads: PayloadQueue;
  readonly #run = randomBytes(9).toString('base64url');
  #values$: Observable<unknown> | undefined;
  #running: Subscription | undefined;
  #isOver = false;
  #lastCursor: { readonly after: number; readonly text: string } | undefined;

  constructor(
    readonly entry: EventSourceEntry,
    private readonly cursors: EventCursors,
    bounds: EventsSettings,
  ) {
    this.log = new ReplayLog({ size: bounds.logSize, characters: bounds.logCharacters });
    const rules = { schema: entry.payload, mostCharacters: bounds.payloadCharacters };
    this.#payloads = new PayloadQueue(rules, (read) => this.#keep(read));
    this.signals$ = new Observable((listener) => {
      listener.add(this.#signals.subscribe(listener));
      if (!this.#isOver) this.#begin();
      listener.add(() => this.#rest());
    });
  }

  /**
   * Begins to keep events for whoever comes; a source without cursors begins when somebody listens.
   *
   * @throws {CatalogueError} where the application gives no Observable
   */
  start(): void {
    this.#values$ ??= this.entry.open();
    if (!this.entry.isCursorless) this.#begin();
  }

  /** Parts from the source for good; who listens is told nothing more, the end of the source neither. */
  stop(): void {
    this.#isOver = true;
    this.#running?.unsubscribe();
  }

  /** Writes a position as a cursor; `null` where the source has none. */
  formatCursor(after: number): string | null {
    if (this.entry.isCursorless) return null;
    if (this.#lastCursor?.after !== after) {
      const position = { source: this.entry.name, run: this.#run, after };
      this.#lastCursor = { after, text: this.cursors.format(position) };
    }
    return this.#lastCursor.text;
  }

  /** Gives the position of a cursor; nothing where it cannot be read, as after a restart without a secret. */
  parseCursor(cursor: string): EventPosition | undefined {
    return this.cursors.parse(cursor);
  }

  /** Tells whether a position is one of this run of the source: the events before a restart are gone. */
  isCurrent({ run, after }: EventPosition): boolean {
    return run === this.#run && after <= this.log.last;
  }

  /** Tells whether somebody gets an event: where the filter says neither yes nor no, nobody does. */
  isFor(recipient: EventRecipient, { data }: KeptEvent): boolean {
    try {
      const { options } = this.entry;
      const isFor: unknown = options.filter === undefined || options.filter(data, recipient);
      return isFor === true;
    } catch (error) {
      const { name } = this.entry;
      this.#logger.error(`The filter of the event source "${name}" failed: ${describeFailure(error)}`);
      return false;
    }
  }

  #begin(): void {
    if (this.#running !== undefined) return;
    const running = new Subscription();
    this.#running = running;
    this.#values$ ??= this.entry.open();
    const values$ = this.#values$.pipe(
      retry({ delay: (error, attempt) => this.#delayRetry(error, attempt), resetOnSuccess: true }),
    );
    running.add(
      values$.subscribe({
        next: (value) => this.#payloads.add(value),
        complete: () => this.#payloads.finish(() => this.#end()),
      }),
    );
  }

  /** A source without cursors keeps nothing for those who come later; once it is over, nobody does. */
  #rest(): void {
    if (!this.entry.isCursorless || this.#isOver || this.#signals.observed) return;
    this.#running?.unsubscribe();
    this.#running = undefined;
    this.log.clear();
  }

  #end(): void {
    this.#isOver = true;
    this.#signals.complete();
  }

  #keep(read: ReadPayload): void {
    if (this.#running === undefined || this.#running.closed) return;
    if ('fault' in read) return this.#reportPayload(read.fault);
    const { data, characters } = read;
    const eventId = this.#identify(read);
    if (eventId === undefined) return;
    this.log.append({ eventId, data, characters, at: performance.now() });
    this.#signals.next({ kind: 'event' });
  }

  #identify({ data }: CopiedPayload): string | undefined {
    const { options } = this.entry;
    if (options.identify === undefined) return `evt_${this.#run}_${this.log.last + 1}`;
    try {
      const eventId: unknown = options.identify(data);
      if (typeof eventId === 'string' && eventId !== '') return eventId;
      this.#reportPayload('"identify" must give a text that is not empty');
    } catch (error) {
      this.#reportPayload(`"identify" failed: ${describeFailure(error)}`);
    }
    return undefined;
  }

  #reportPayload(fault: string): void {
    this.#logger.error(`An event of the source "${this.entry.name}" is left out: ${fault}`);
    this.#signals.next({ kind: 'fault', explanation: 'An event is left out: the server could not read it' });
  }

  #delayRetry(error: unknown, attempt: number): Observable<unknown> {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), LONGEST_RETRY_MS);
    const what = `The event source "${this.entry.name}" failed and is subscribed to again in ${delayMs} ms`;
    this.#logger.error(
      `${what}: ${describeFailure(error)}`,
      error instanceof Error ? error.stack : undefined,
    );
    this.#signals.next({ kind: 'fault', explanation: 'The source failed: the server tries again' });
    return timer(delayMs);
  }
}
