import { Logger } from '../../../../core/logger/logger.js';
import { Lease } from '../../../relay/lease.js';
import type { Relay } from '../../../relay/relay.js';
import { Topic } from '../../../relay/topic.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';
import type { EventSourceEntry } from './event-source-entry.js';
import { PayloadQueue } from './payload-queue.js';
import type { PublishedEvent } from './published-event.js';
import type { CopiedPayload, PayloadRules, ReadPayload } from './read-payload.js';
import { SourceAudience } from './source-audience.js';
import { SourceEnds } from './source-ends.js';
import { SourceRunner } from './source-runner.js';

/** The parts that run a source, and its listeners. */
export interface LocalSourceParts {
  readonly entry: EventSourceEntry;
  readonly relay: Relay;
  /** Names events that the application does not name. */
  readonly run: string;
  readonly mostCharacters: number;
  onEvent(event: PublishedEvent): void;
  /** Is called if events are missing, here or in another process. */
  onFault(explanation: string): void;
  /** Is called if nobody listens to a source without cursors. */
  onRest(): void;
  /** Is called if no process has further events. */
  onEnd(): void;
}

/** The source as it runs in this process: all the time, while somebody listens, or while no other process runs it. */
export class LocalSource {
  readonly #logger = new Logger('McpEvents');
  readonly #runner: SourceRunner;
  readonly #payloads: PayloadQueue;
  readonly #audience: SourceAudience;
  readonly #lease: Lease;
  readonly #ends: SourceEnds;
  readonly #faults: Topic<{ readonly explanation: string }>;
  readonly #leaveFaults: () => void;
  #emitted = 0;
  #isOver = false;

  constructor(private readonly parts: LocalSourceParts) {
    const { entry, relay, mostCharacters } = parts;
    const rules: PayloadRules = {
      mostCharacters,
      get schema() {
        return entry.payload;
      },
    };
    this.#payloads = new PayloadQueue(rules, (read) => this.#emit(read));
    this.#runner = new SourceRunner(entry, {
      onValue: (value) => this.#payloads.add(value),
      onEnd: () => this.#payloads.finish(() => this.#ends.tell()),
      onFault: (explanation) => this.#tellFault(explanation),
    });
    this.#audience = new SourceAudience(relay, entry.name, () => this.#settle());
    this.#lease = new Lease(relay, `event:${entry.name}`, () => this.#settle());
    this.#ends = new SourceEnds(entry, relay, () => this.#end());
    this.#faults = new Topic(`event-fault ${entry.name}`);
    this.#leaveFaults = relay.on(this.#faults, ({ explanation }) => parts.onFault(explanation));
  }

  /** @throws {CatalogueError} if the application gives no Observable */
  start(): void {
    const { isCursorless, options } = this.parts.entry;
    this.#runner.open();
    if (isCursorless) this.#audience.start();
    if (options.exclusive === true) this.#lease.start();
    else if (!isCursorless) this.#runner.begin();
  }

  stop(): void {
    this.#isOver = true;
    this.#audience.stop();
    void this.#lease.stop();
    this.#ends.stop();
    this.#leaveFaults();
    this.#runner.stop();
  }

  /** Somebody listens here. */
  enter(): void {
    const { isCursorless, options } = this.parts.entry;
    this.#audience.enter();
    if (!isCursorless && options.exclusive !== true) this.#runner.begin();
  }

  leave(): void {
    this.#audience.leave();
  }

  /** Runs the source if it should run here now. */
  #settle(): void {
    const { isCursorless, options } = this.parts.entry;
    if (this.#isOver || (!isCursorless && options.exclusive !== true)) return;
    const isWanted = !isCursorless || this.#audience.isThere;
    const isOurs = options.exclusive !== true || this.#lease.isHeld;
    if (isWanted && isOurs) return this.#runner.begin();
    this.#runner.rest();
    if (isCursorless && !this.#audience.isThere) this.parts.onRest();
  }

  #end(): void {
    this.#isOver = true;
    this.parts.onEnd();
  }

  #emit(read: ReadPayload): void {
    if (!this.#runner.isRunning) return;
    if ('fault' in read) return this.#reportPayload(read.fault, read.isTooLong);
    const id = this.#identify(read);
    if (id === undefined) return;
    const { data, characters: size } = read;
    this.parts.onEvent({ id, at: Date.now(), by: this.parts.relay.member, size, data });
  }

  #identify({ data }: CopiedPayload): string | undefined {
    const { entry, run } = this.parts;
    this.#emitted += 1;
    if (entry.options.identify === undefined) return `evt_${run}_${this.#emitted}`;
    try {
      const eventId: unknown = entry.options.identify(data);
      if (typeof eventId === 'string' && eventId !== '') return eventId;
      this.#reportPayload('"identify" must give a text that is not empty');
    } catch (error) {
      this.#reportPayload(`"identify" failed: ${describeFailure(error).text}`);
    }
    return undefined;
  }

  #reportPayload(fault: string, isTooLong = false): void {
    this.#logger.error(`An event of the source "${this.parts.entry.name}" is left out: ${fault}`);
    this.#tellFault(
      isTooLong
        ? 'An event is left out: it is longer than the server sends'
        : 'An event is left out: the server could not read it',
    );
  }

  #tellFault(explanation: string): void {
    this.parts.relay.tell(this.#faults, { explanation });
    this.parts.onFault(explanation);
  }
}
