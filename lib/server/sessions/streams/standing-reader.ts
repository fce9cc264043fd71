import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { formatPosition } from '../../relay/position.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import type { SessionStreams } from './session-streams.js';

/** Says that a message came that the reader cannot be given in its turn: what was published from there on must be read again. */
export type OnDelay = (position: ClusterPosition) => void;

/**
 * Whoever reads the standing stream of a session in this process, in a server of several: the log that the processes share is the log of
 * the stream too, and nothing is kept of it here.
 */
export class StandingReader {
  /** What the reader has up to here, it is not given again. */
  #known: ClusterPosition | undefined;
  #isCurrent = false;
  #held: ClusterPosition | undefined;

  constructor(
    private readonly streams: Pick<SessionStreams, 'pass'>,
    private readonly onDelay: OnDelay,
    /** How many messages the process had been told before they had a place, when the reader came. */
    readonly since: number,
  ) {}

  /** Whether the reader has everything that came: what comes next is for it at once. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Notes that the reader has everything up to a place, which may be ahead of what this process was given. */
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
    this.#held ??= position;
    if (!this.#isNew(position)) return;
    this.#isCurrent = false;
    this.onDelay(position);
  }

  /** Gives the reader what was published, if it has not got it, nor will get it in its turn. What has no place is for it at once. */
  take(message: OutboundMessage, scopes: readonly string[] | undefined, position?: ClusterPosition): void {
    if (position === undefined) return this.streams.pass(message, '', scopes);
    if (!this.#isCurrent) this.#held ??= position;
    else if (this.#isNew(position)) this.write(message, scopes, position);
  }

  /** Gives the reader a message in its turn, by its place in the log. */
  write(message: OutboundMessage, scopes: readonly string[] | undefined, position: ClusterPosition): void {
    this.streams.pass(message, formatPosition(position), scopes);
  }

  #isNew({ epoch, number }: ClusterPosition): boolean {
    const known = this.#known;
    return this.#isCurrent && (known?.epoch !== epoch || number > known.number);
  }
}
