import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { formatPosition } from '../../relay/position.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { SessionStreams } from './session-streams.js';

/** What a reader stands on. */
export interface StandingReaderParts {
  readonly streams: Pick<SessionStreams, 'pass'>;
  /** Tells how many messages the process was told before they had a place. */
  readonly countTold: () => number;
  /** Hears that a message came that the reader cannot be given in its turn: what was published from there on must be read again. */
  readonly onDelay: (position: ClusterPosition) => void;
}

/** Which of the messages that the process was told before they had a place: those after one, up to another. */
type ToldRange = readonly [after: number, upTo: number];

/**
 * Whoever reads the standing stream of a session in this process, in a server of several: the log that the processes share is the log of
 * the stream too, and nothing is kept of it here. It is held until it has got everything that came before.
 */
export class StandingReader {
  /** What the reader has up to here, it is not given again. */
  #known: ClusterPosition | undefined;
  #isCurrent = false;
  #held: ClusterPosition | undefined;
  /** What was told while the reader was held, which it is owed once that has a place. */
  readonly #owed: ToldRange[] = [];
  /** How many were told when the reader was held last. */
  #heldSince = 0;

  constructor(private readonly parts: StandingReaderParts) {}

  /** Whether the reader has everything that came: what comes next is for it at once. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Notes that the reader has everything up to a place, which may be ahead of what this process was given. */
  catchUp(known: ClusterPosition | undefined): void {
    this.#known = known;
    this.#isCurrent = true;
    const told = this.parts.countTold();
    if (told > this.#heldSince) this.#owed.push([this.#heldSince, told]);
    this.#heldSince = told;
  }

  /** Where the first message stands that came since {@link hold}, and was not given to the reader. */
  get held(): ClusterPosition | undefined {
    return this.#held;
  }

  /** Lets what is published wait from now on: something comes before it. */
  hold(): void {
    if (this.#isCurrent) this.#heldSince = this.parts.countTold();
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

  /** Lets something wait that has a place now, if the reader was not given it when the process was told. */
  delayTold(told: number, position: ClusterPosition): void {
    const isOwed = !this.#isCurrent || this.#owed.some(([after, upTo]) => told > after && told <= upTo);
    if (isOwed) this.delay(position);
  }

  /**
   * Gives the reader what was published, if it has not got it, nor will get it in its turn. What has no place is for it at once, unless it is
   * held: it is owed that as soon as it has one.
   */
  take(message: OutboundMessage, scopes: readonly string[] | undefined, position?: ClusterPosition): void {
    if (!this.#isCurrent) this.#held ??= position;
    else if (position === undefined) this.tell(message, scopes);
    else if (this.#isNew(position)) this.write(message, scopes, position);
  }

  /** Gives the reader a message in its turn, by its place in the log. */
  write(message: OutboundMessage, scopes: readonly string[] | undefined, position: ClusterPosition): void {
    this.parts.streams.pass(message, formatPosition(position), scopes);
  }

  /** Gives the reader a message that cannot be come back to. */
  tell(message: OutboundMessage, scopes: readonly string[] | undefined): void {
    this.parts.streams.pass(message, '', scopes);
  }

  #isNew({ epoch, number }: ClusterPosition): boolean {
    const known = this.#known;
    return this.#isCurrent && (known?.epoch !== epoch || number > known.number);
  }
}
