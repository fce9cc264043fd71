import { retry, Subscription, timer, type Observable } from 'rxjs';
import { describeFailure, logError } from '../../../../core/log/describe-failure.js';
import { Logger } from '../../../../core/logger/logger.js';
import { Lease } from '../../../cluster/lease.js';
import { type ClusterBus, Topic } from '../../../cluster/cluster-bus.js';
import type { EventSourceEntry } from './event-source-entry.js';
import { PayloadQueue, type CopiedPayload, type PayloadRules, type ReadPayload } from './read-payload.js';
import type { PublishedEvent } from './replay-log.js';
import { ListenerPresence } from './listener-presence.js';

const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** A source's observer. */
interface SourceListener {
  onValue(value: unknown): void;
  onEnd(): void;
  /** Called if the Observable failed and will be subscribed to again. */
  onProblem(explanation: string): void;
}

/** Subscribes to a source's Observable, and resubscribes if it fails. */
class SourceRunner {
  readonly #logger = new Logger('McpEvents');
  #values$: Observable<unknown> | undefined;
  #running: Subscription | undefined;

  constructor(
    private readonly entry: EventSourceEntry,
    private readonly listener: SourceListener,
  ) {}

  /** Whether the Observable is subscribed to and has not ended. */
  get isRunning(): boolean {
    return this.#running?.closed === false;
  }

  /**
   * Gets the Observable from the application.
   *
   * @throws {CatalogError} if there is none
   */
  open(): Observable<unknown> {
    return (this.#values$ ??= this.entry.open());
  }

  begin(): void {
    if (this.#running !== undefined) return;
    const running = new Subscription();
    this.#running = running;
    const values$ = this.open().pipe(
      retry({ delay: (error, attempt) => this.#delayRetry(error, attempt), resetOnSuccess: true }),
    );
    running.add(
      values$.subscribe({
        next: (value) => this.listener.onValue(value),
        complete: () => this.listener.onEnd(),
      }),
    );
  }

  /** Unsubscribes. The source can be started again. */
  pause(): void {
    this.#running?.unsubscribe();
    this.#running = undefined;
  }

  /** Unsubscribes for good. */
  stop(): void {
    this.#running ??= new Subscription();
    this.#running.unsubscribe();
  }

  #delayRetry(error: unknown, attempt: number): Observable<unknown> {
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
    const what = `The event source "${this.entry.name}" failed: resubscribing in ${delayMs} ms`;
    logError(this.#logger, error, what);
    this.listener.onProblem('The source failed: the server will subscribe to it again');
    return timer(delayMs);
  }
}

/** Tracks the processes in which a source has completed. The source ends once it has completed in all processes. */
class SourceEnds {
  readonly #ended = new Set<string>();
  readonly #topic: Topic<{ readonly by: string }>;
  readonly #unsubscribe: () => void;
  #isOver = false;

  constructor(
    private readonly entry: EventSourceEntry,
    private readonly bus: ClusterBus,
    private readonly onEnd: () => void,
  ) {
    this.#topic = new Topic(`event-end ${entry.name}`);
    this.#unsubscribe = bus.on(this.#topic, ({ by }) => void this.#note(by));
  }

  /** Publishes that the source has completed in this process. */
  publish(): void {
    this.bus.publish(this.#topic, { by: this.bus.member });
  }

  stop(): void {
    this.#isOver = true;
    this.#unsubscribe();
  }

  /** Never rejects. If the members are unknown, only this process counts. */
  async #note(member: string): Promise<void> {
    this.#ended.add(member);
    const { shared } = this.bus;
    if (shared === undefined || this.entry.options.singleInstance === true) return this.#end();
    const members = await shared.members().catch(() => [this.bus.member]);
    if (members.every((one) => this.#ended.has(one))) this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    this.onEnd();
  }
}

/** The parts that run a source, and its listeners. */
export interface LocalSourceParts {
  readonly entry: EventSourceEntry;
  readonly bus: ClusterBus;
  /** Part of the event ids that the server generates if the application assigns none. */
  readonly run: string;
  readonly maxCharacters: number;
  onEvent(event: PublishedEvent): void;
  /** Called if events were lost, here or in another process. */
  onProblem(explanation: string): void;
  /** Called if a source without cursors has no listeners. */
  onPause(): void;
  /** Called when the source has ended in all processes. */
  onEnd(): void;
}

/**
 * Runs a source in this process: always, only while it has listeners (`cursorless`), or only while this process holds
 * the lease (`singleInstance`).
 */
export class LocalSource {
  readonly #logger = new Logger('McpEvents');
  readonly #runner: SourceRunner;
  readonly #payloads: PayloadQueue;
  readonly #presence: ListenerPresence;
  readonly #lease: Lease;
  readonly #ends: SourceEnds;
  readonly #problems: Topic<{ readonly explanation: string }>;
  readonly #unsubscribeProblems: () => void;
  #emitted = 0;
  #isOver = false;

  constructor(private readonly parts: LocalSourceParts) {
    const { entry, bus, maxCharacters } = parts;
    const rules: PayloadRules = {
      maxCharacters,
      get schema() {
        return entry.payload;
      },
    };
    this.#payloads = new PayloadQueue(rules, (read) => this.#emit(read));
    this.#runner = new SourceRunner(entry, {
      onValue: (value) => this.#payloads.add(value),
      onEnd: () => this.#payloads.finish(() => this.#ends.publish()),
      onProblem: (explanation) => this.#publishProblem(explanation),
    });
    this.#presence = new ListenerPresence(bus, entry.name, () => this.#settle());
    this.#lease = new Lease(bus, `event:${entry.name}`, () => this.#settle());
    this.#ends = new SourceEnds(entry, bus, () => this.#end());
    this.#problems = new Topic(`event-problem ${entry.name}`);
    this.#unsubscribeProblems = bus.on(this.#problems, ({ explanation }) => parts.onProblem(explanation));
  }

  /** @throws {CatalogError} if the application returns no Observable */
  start(): void {
    const { isCursorless, options } = this.parts.entry;
    this.#runner.open();
    if (isCursorless) this.#presence.start();
    if (options.singleInstance === true) this.#lease.start();
    else if (!isCursorless) this.#runner.begin();
  }

  stop(): void {
    this.#isOver = true;
    this.#presence.stop();
    void this.#lease.stop();
    this.#ends.stop();
    this.#unsubscribeProblems();
    this.#runner.stop();
  }

  /** Adds a listener in this process. */
  enter(): void {
    const { isCursorless, options } = this.parts.entry;
    this.#presence.enter();
    if (!isCursorless && options.singleInstance !== true) this.#runner.begin();
  }

  leave(): void {
    this.#presence.leave();
  }

  /** Starts or pauses the source, depending on listeners and the lease. */
  #settle(): void {
    const { isCursorless, options } = this.parts.entry;
    if (this.#isOver || (!isCursorless && options.singleInstance !== true)) return;
    const isWanted = !isCursorless || this.#presence.hasListeners;
    const isOurs = options.singleInstance !== true || this.#lease.isHeld;
    if (isWanted && isOurs) return this.#runner.begin();
    this.#runner.pause();
    if (isCursorless && !this.#presence.hasListeners) this.parts.onPause();
  }

  #end(): void {
    this.#isOver = true;
    this.parts.onEnd();
  }

  #emit(read: ReadPayload): void {
    if (!this.#runner.isRunning) return;
    if ('problem' in read) return this.#reportPayload(read.problem, read.isTooLong);
    const id = this.#identify(read);
    if (id === undefined) return;
    const { data, characters: size } = read;
    this.parts.onEvent({ id, at: Date.now(), by: this.parts.bus.member, size, data });
  }

  #identify({ data }: CopiedPayload): string | undefined {
    const { entry, run } = this.parts;
    this.#emitted += 1;
    if (entry.options.eventId === undefined) return `evt_${run}_${this.#emitted}`;
    try {
      const eventId: unknown = entry.options.eventId(data);
      if (typeof eventId === 'string' && eventId !== '') return eventId;
      this.#reportPayload('"eventId" must return a non-empty string');
    } catch (error) {
      this.#reportPayload(`"eventId" failed: ${describeFailure(error).text}`);
    }
    return undefined;
  }

  #reportPayload(problem: string, isTooLong = false): void {
    this.#logger.error(`An event from the source "${this.parts.entry.name}" was dropped: ${problem}`);
    this.#publishProblem(
      isTooLong
        ? 'An event was dropped: it is too long to send'
        : 'An event was dropped: the server could not read it',
    );
  }

  #publishProblem(explanation: string): void {
    this.parts.bus.send(this.#problems, { explanation });
    this.parts.onProblem(explanation);
  }
}
