import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { formatPosition } from '../../cluster/position.js';
import type { Delivery, EntryName } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { GivenEntries } from './given-entries.js';
import type { SessionStreams } from './session-streams.js';

/** The parts of a reader. */
export interface StandaloneReaderParts {
  readonly streams: Pick<SessionStreams, 'pass'>;
  /** Is called if a message cannot be sent to the reader in its turn. All messages from there on must be read again. */
  readonly onDelay: (position: ClusterPosition) => void;
  /** Returns the place up to which the reader has everything. */
  readonly findRead: () => ClusterPosition | undefined;
  /** Is called if something without a place comes while earlier entries of this process are still {@link StandaloneReader.oweEarly owed}. */
  readonly onEarly: () => void;
  /** The newest entry of this process from before the handshake. @default unknown */
  readonly before?: EntryName | undefined;
}

/**
 * The reader of the standing stream of a session in this process, in a server of several processes. The log that they share is
 * the log of the stream too, and nothing is kept of it here. The reader is held until it has got everything that came before.
 */
export class StandaloneReader {
  /** What the reader has up to here, it is not given again. */
  #known: ClusterPosition | undefined;
  #isCurrent = false;
  #held: ClusterPosition | undefined;
  /** What the reader got before it had a place. */
  #given = new GivenEntries();
  #owesEarly = false;
  /** The newest entry of this process that got a place, and was not given before. */
  #placed = 0;

  constructor(private readonly parts: StandaloneReaderParts) {}

  /** Whether the reader has everything that came: what comes next is for it at once. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** What the reader got before it had a place, for the ids of its events. */
  get given(): string {
    return this.#given.format();
  }

  /** Begins with what the reader got elsewhere before it had a place. */
  recall(given: string | undefined): void {
    this.#given = GivenEntries.parse(given ?? '') ?? new GivenEntries();
  }

  /**
   * Notes whether the reader is still to be given what this process published so far and has no place yet. As long as it is,
   * nothing later is given before its place either.
   */
  oweEarly(isOwed: boolean): void {
    this.#owesEarly = isOwed;
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

  /**
   * Lets something wait that has a place now, if the reader was not given it before: it may have been held, or not have
   * wanted it yet. What comes before it for a held reader is read again with it.
   */
  delayPublished(name: EntryName, position: ClusterPosition, settledAt?: string): void {
    this.#placed = Math.max(this.#placed, name.count);
    if (!this.#isCurrent || !this.pass(name, settledAt)) this.delay(position);
  }

  /**
   * Sends a published message to the reader, unless the reader has it or will get it in its turn. Messages without a
   * place in the log go to it at once. If the reader is held, they wait until they have a place.
   */
  take(message: OutboundMessage, scopes: readonly string[] | undefined, { position, name }: Delivery): void {
    if (!this.#isCurrent) this.#held ??= position;
    else if (position === undefined) this.#giveEarly(message, scopes, name);
    else if (this.#isNew(position) && !this.pass(name)) this.write(message, scopes, position);
  }

  /**
   * Notes that it is the turn of an entry. Returns whether the reader was given it before it had a place, or did not want it
   * then: it was given what the process published later. What is older than the session is for nobody.
   *
   * @param settledAt the process at which the client settled that it wants the entry. Any other process judged the entry
   * without knowing that
   */
  pass(name: EntryName | undefined, settledAt?: string): boolean {
    if (name === undefined) return false;
    const { member, count } = name;
    const wasOffered = !this.#owesEarly && settledAt === member;
    const wasRefused = wasOffered && count < this.#given.findNewest(member);
    return this.#given.pass(name) || wasRefused || this.#isOlder(name);
  }

  #isOlder({ member, count }: EntryName): boolean {
    const { before } = this.parts;
    return member === before?.member && count <= before.count;
  }

  /** Gives the reader a message in its turn, by its place in the log. */
  write(message: OutboundMessage, scopes: readonly string[] | undefined, position: ClusterPosition): void {
    this.parts.streams.pass(message, `${formatPosition(position)}${this.given}`, scopes);
  }

  /** Sends a message without an id to the reader. */
  tell(message: OutboundMessage, scopes: readonly string[] | undefined): void {
    this.parts.streams.pass(message, '', scopes);
  }

  /** Whether it is for the reader may have been found out late: it has a place by then, and comes by that. */
  #giveEarly(
    message: OutboundMessage,
    scopes: readonly string[] | undefined,
    name: EntryName | undefined,
  ): void {
    if (name === undefined) return this.tell(message, scopes);
    if (this.#owesEarly) return this.parts.onEarly();
    const newest = Math.max(this.#placed, this.#given.findNewest(name.member));
    if (name.count <= newest || this.#isOlder(name)) return;
    this.#given.add(name);
    const read = this.parts.findRead();
    if (read === undefined) this.tell(message, scopes);
    else this.write(message, scopes, read);
  }

  #isNew({ epoch, number }: ClusterPosition): boolean {
    const known = this.#known;
    return this.#isCurrent && (known?.epoch !== epoch || number > known.number);
  }
}

function findPlaceBehind({ epoch, number }: ClusterPosition): ClusterPosition {
  return { epoch, number: number + 1 };
}
