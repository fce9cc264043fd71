import type { OutboundMessage } from '../../../core/protocol/outbound-message.js';
import { formatPosition } from '../../cluster/position.js';
import type { Delivery, EntryName } from '../../cluster/cluster-bus.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { SentEntries } from './sent-entries.js';
import type { SessionStreams } from './session-streams.js';

/** A reader's dependencies. */
export interface StandaloneReaderParts {
  readonly streams: Pick<SessionStreams, 'pass'>;
  /** Called if a message cannot be sent to the reader in order. All messages from this position on must be reread. */
  readonly onDelay: (position: ClusterPosition) => void;
  /** Returns the position up to which the reader has everything. */
  readonly findRead: () => ClusterPosition | undefined;
  /**
   * Called if an entry without a position arrives while earlier entries of this process {@link
   * StandaloneReader.setEarlyPending have not been sent}.
   */
  readonly onEarly: () => void;
  /** The newest entry that this process published before initialization. @default unknown */
  readonly before?: EntryName | undefined;
}

/**
 * The reader of a session's standalone SSE stream in this process, in a cluster. The shared log is also the stream's
 * log, so nothing is stored here. Messages are held back until the reader has received all earlier ones.
 */
export class StandaloneReader {
  /** The position up to which the reader has everything. Entries up to it are not sent again. */
  #known: ClusterPosition | undefined;
  #isCurrent = false;
  #held: ClusterPosition | undefined;
  /** Entries that the reader received before they had a position. */
  #given = new SentEntries();
  #isEarlyPending = false;
  /** This process's newest entry that received a position and was not sent before. */
  #placed = 0;

  constructor(private readonly parts: StandaloneReaderParts) {}

  /** Whether the reader has all earlier entries, so that the next one can be sent immediately. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** The entries that the reader received before they had a position, formatted for its event ids. */
  get given(): string {
    return this.#given.format();
  }

  /** Restores the entries that the reader received in another process before they had a position. */
  recall(given: string | undefined): void {
    this.#given = SentEntries.parse(given ?? '') ?? new SentEntries();
  }

  /**
   * Sets whether entries that this process published and that have no position yet must still be sent. While they
   * must, no later entry is sent before it has a position.
   */
  setEarlyPending(isPending: boolean): void {
    this.#isEarlyPending = isPending;
  }

  /** Records that the reader has everything up to a position, which this process may not have reached. */
  catchUp(known: ClusterPosition | undefined): void {
    this.#known = known;
    this.#isCurrent = true;
  }

  /** The position of the first message since {@link hold} that was not sent to the reader. */
  get held(): ClusterPosition | undefined {
    return this.#held;
  }

  /** Holds messages back from now on, because earlier ones must be sent first. */
  hold(): void {
    this.#isCurrent = false;
    this.#held = undefined;
  }

  /** Holds messages back from a position on, because this one cannot be sent in order yet. */
  delay(position: ClusterPosition): void {
    if (!this.#isCurrent) this.#held ??= position;
    if (!this.#isNew(position)) return;
    this.hold();
    this.#held = position;
    this.parts.onDelay(position);
  }

  /** Holds back all messages after a position, because it is not yet known whether they are for the reader. */
  delayBehind(position: ClusterPosition): void {
    const next = findPositionBehind(position);
    const isAhead = this.#isCurrent && !this.#isNew(next);
    this.delay(isAhead && this.#known !== undefined ? findPositionBehind(this.#known) : next);
  }

  /**
   * Holds back an entry that has received its position, unless it was sent before. The reader may have been held, or
   * may have subscribed later. For a held reader, earlier entries are reread along with it.
   */
  delayPublished(name: EntryName, position: ClusterPosition, settledAt?: string): void {
    this.#placed = Math.max(this.#placed, name.count);
    if (!this.#isCurrent || !this.pass(name, settledAt)) this.delay(position);
  }

  /**
   * Sends a published message to the reader, unless the reader already has it or will receive it in order. Messages
   * without a position are sent immediately. If the reader is held, they wait until they have a position.
   */
  take(message: OutboundMessage, scopes: readonly string[] | undefined, { position, name }: Delivery): void {
    if (!this.#isCurrent) this.#held ??= position;
    else if (position === undefined) this.#giveEarly(message, scopes, name);
    else if (this.#isNew(position) && !this.pass(name)) this.write(message, scopes, position);
  }

  /**
   * Processes an entry in its order. Returns whether the reader received it before it had a position, or did not want
   * it at the time because it received later entries from that process. Entries older than the session are skipped
   * too.
   *
   * @param settledAt the process that handled the client's subscription to the entry. Other processes decided without
   * it
   */
  pass(name: EntryName | undefined, settledAt?: string): boolean {
    if (name === undefined) return false;
    const { member, count } = name;
    const wasOffered = !this.#isEarlyPending && settledAt === member;
    const wasRefused = wasOffered && count < this.#given.findNewest(member);
    return this.#given.pass(name) || wasRefused || this.#isOlder(name);
  }

  #isOlder({ member, count }: EntryName): boolean {
    const { before } = this.parts;
    return member === before?.member && count <= before.count;
  }

  /** Sends the reader a message in order, with its position in the log. */
  write(message: OutboundMessage, scopes: readonly string[] | undefined, position: ClusterPosition): void {
    this.parts.streams.pass(message, `${formatPosition(position)}${this.given}`, scopes);
  }

  /** Sends a message without an id to the reader. */
  send(message: OutboundMessage, scopes: readonly string[] | undefined): void {
    this.parts.streams.pass(message, '', scopes);
  }

  /**
   * Sends an entry that has no position yet. An entry that is older than the newest one is skipped: it was recognized
   * late as being for this reader, and arrives again with its position.
   */
  #giveEarly(
    message: OutboundMessage,
    scopes: readonly string[] | undefined,
    name: EntryName | undefined,
  ): void {
    if (name === undefined) return this.send(message, scopes);
    if (this.#isEarlyPending) return this.parts.onEarly();
    const newest = Math.max(this.#placed, this.#given.findNewest(name.member));
    if (name.count <= newest || this.#isOlder(name)) return;
    this.#given.add(name);
    const read = this.parts.findRead();
    if (read === undefined) this.send(message, scopes);
    else this.write(message, scopes, read);
  }

  #isNew({ epoch, number }: ClusterPosition): boolean {
    const known = this.#known;
    return this.#isCurrent && (known?.epoch !== epoch || number > known.number);
  }
}

function findPositionBehind({ epoch, number }: ClusterPosition): ClusterPosition {
  return { epoch, number: number + 1 };
}
