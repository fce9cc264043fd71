import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { formatPosition } from '../../relay/position.js';
import type { Delivery } from '../../relay/relay.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { SessionStreams } from './session-streams.js';

/** The parts of a reader. */
export interface StandingReaderParts {
  readonly streams: Pick<SessionStreams, 'pass'>;
  /** Is called if a message cannot be sent to the reader in its turn. All messages from there on must be read again. */
  readonly onDelay: (position: ClusterPosition) => void;
}

/** Messages without a place that are remembered as given: those that never get one would stay for ever. */
const MOST_REMEMBERED = 4000;

/**
 * The reader of the standing stream of a session in this process, in a server of several processes. The log that they share is
 * the log of the stream too, and nothing is kept of it here. The reader is held until it has got everything that came before.
 */
export class StandingReader {
  /** What the reader has up to here, it is not given again. */
  #known: ClusterPosition | undefined;
  #isCurrent = false;
  #held: ClusterPosition | undefined;
  /** The number of messages that the reader got before it had a place. */
  readonly #given = new Set<number>();

  constructor(private readonly parts: StandingReaderParts) {}

  /** Whether the reader has everything that came: what comes next is for it at once. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Notes that the reader has everything up to a place, which this process may not have reached. */
  catchUp(known: ClusterPosition | undefined): void {
    this.#known = known;
    this.#isCurrent = true;
  }

  /** Where the first message stands that came since {@link hold}, and was not given to the reader. */
  get held(): ClusterPosition | undefined {
    return this.#held;
  }

  /** Lets what is published wait from now on: something comes before it. */
  hold(): void {
    this.#isCurrent = false;
    this.#held = undefined;
  }

  /**
   * Lets what is published wait that comes from a place on: it cannot be given to the reader in its turn yet.
   */
  delay(position: ClusterPosition): void {
    if (!this.#isCurrent) this.#held ??= position;
    if (!this.#isNew(position)) return;
    this.hold();
    this.#held = position;
    this.parts.onDelay(position);
  }

  /** Lets whatever is published behind a place wait: it cannot be judged yet whether it is for the reader. */
  delayBehind(position: ClusterPosition): void {
    const next = findPlaceBehind(position);
    const isAhead = this.#isCurrent && !this.#isNew(next);
    this.delay(isAhead && this.#known !== undefined ? findPlaceBehind(this.#known) : next);
  }

  /** Lets something wait that has a place now, if the reader was not given it before: it may have been held, or not have wanted it yet. */
  delayTold(told: number, position: ClusterPosition): void {
    if (!this.#given.delete(told)) this.delay(position);
  }

  /**
   * Sends a published message to the reader, unless the reader has it or will get it in its turn. Messages without a
   * place in the log go to it at once. If the reader is held, they wait until they have a place.
   */
  take(message: OutboundMessage, scopes: readonly string[] | undefined, { position, told }: Delivery): void {
    if (!this.#isCurrent) this.#held ??= position;
    else if (position === undefined) {
      this.tell(message, scopes);
      if (told !== undefined) this.#remember(told);
    } else if (this.#isNew(position)) this.write(message, scopes, position);
  }

  /** Gives the reader a message in its turn, by its place in the log. */
  write(message: OutboundMessage, scopes: readonly string[] | undefined, position: ClusterPosition): void {
    this.parts.streams.pass(message, formatPosition(position), scopes);
  }

  /** Sends a message without an id to the reader. */
  tell(message: OutboundMessage, scopes: readonly string[] | undefined): void {
    this.parts.streams.pass(message, '', scopes);
  }

  #remember(told: number): void {
    this.#given.add(told);
    const [oldest] = this.#given;
    if (this.#given.size > MOST_REMEMBERED && oldest !== undefined) this.#given.delete(oldest);
  }

  #isNew({ epoch, number }: ClusterPosition): boolean {
    const known = this.#known;
    return this.#isCurrent && (known?.epoch !== epoch || number > known.number);
  }
}

function findPlaceBehind({ epoch, number }: ClusterPosition): ClusterPosition {
  return { epoch, number: number + 1 };
}
