import { withTimeout } from '../../../core/async/timeouts.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import { isUpTo } from '../../cluster/position.js';
import { type ClusterBus, ClusterBusError, Query, Topic } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import type { StreamCursor } from '../../sessions/streams/stream-cursor.js';
import type { Session } from '../../sessions/session.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';
import { formatStreamRecord, parseStreamRecord, readMember, type StreamRecord } from './stream-record.js';

/** Says that somebody else reads the standing stream of a session from now on. */
const STANDING_TAKEN = new Topic<{ readonly reader: string }>('standing.taken');

/** Asks a process whether a reader of its still reads. */
const IS_READ = new Query<{ readonly reader: string }, { readonly isRead: boolean }>('standing.is-read');

/** Milliseconds that a process has to say so: one that was killed is counted for a while, and its client has come back. */
const ANSWER_MS = 3000;

/** How often it is tried if others are at it too. */
const MOST_ATTEMPTS = 8;

/** The right to read the standing stream of a session, which one reader in all processes has. */
export interface StreamClaim {
  readonly session: Session;
  readonly reader: string;
  /** What the reader has, and must get all messages after; absent if unknown. */
  readonly begin: StreamCursor | undefined;
  /** Whether it must still be taken over from its holder in the record. The client came back while that was not possible. */
  takesOver: boolean;
  /** Ends the stream, since another reader has taken it over. */
  dismiss: () => void;
}

/** Lets one reader at a time, in all processes, have the standing stream of a session. */
export class StreamClaims {
  readonly #claims = new Map<string, StreamClaim>();
  /** Readers of other processes that are asked about. */
  readonly #asked = new Map<string, Promise<boolean>>();
  #count = 0;

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
  ) {
    bus.on(STANDING_TAKEN, ({ reader }) => this.#claims.get(reader)?.dismiss());
    bus.respond(IS_READ, ({ reader }) => ({ isRead: this.#claims.has(reader) }));
  }

  all(): Iterable<StreamClaim> {
    return this.#claims.values();
  }

  /**
   * Claims the stream of a session. Returns `undefined` if somebody reads it already. If it cannot be told in time who
   * does, the stream is had.
   *
   * @param after the last event of the client. A request that names it takes the stream over
   */
  async take(session: Session, after: StreamCursor | undefined): Promise<StreamClaim | undefined> {
    this.#count += 1;
    const reader = `${this.bus.member}.${this.#count}`;
    let seen = session.shared?.standing;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const present = parseStreamRecord(seen);
      const begin = selectBegin(after ?? present.read, session.shared?.begin);
      const mayTake = after !== undefined || !(await this.#isRead(present));
      const wanted = mayTake ? formatStreamRecord({ reader, read: begin }) : seen;
      const swapped = await this.#swap(session, seen, wanted);
      if (swapped === undefined) return this.#add({ session, reader, begin, takesOver: after !== undefined });
      if (session.shared !== undefined) session.shared.standing = swapped.field;
      if (swapped.field === wanted) {
        if (!mayTake) return undefined;
        this.#tellTaken(present);
        return this.#add({ session, reader, begin, takesOver: false });
      }
      seen = swapped.field;
    }
    if (after === undefined) return undefined;
    return this.#add({ session, reader, begin: selectBegin(after, session.shared?.begin), takesOver: true });
  }

  /** Gives a claim up, with what its reader was given. */
  release(claim: StreamClaim, read: StreamCursor | undefined): void {
    if (!this.#claims.delete(claim.reader)) return;
    void this.#write(claim, { read }, (present) => this.#mayBeRead(present));
  }

  /**
   * Writes a claim into the record again, if it was lost, with what its reader was given so far. A reader that was replaced
   * without hearing of it leaves. The process in the record may have left while the record could not be written.
   */
  async keep(claim: StreamClaim, read: StreamCursor | undefined): Promise<void> {
    const isKept = await this.#write(
      claim,
      { reader: claim.reader, read },
      (present) => !claim.takesOver && this.#isRead(present),
    );
    if (!isKept && this.#claims.has(claim.reader)) claim.dismiss();
  }

  /** Writes the new state of a claim. Tells whether its reader still has it, as far as that is known. */
  async #write(
    claim: StreamClaim,
    value: StreamRecord,
    isTaken: (present: StreamRecord) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const { reader, session } = claim;
    const { shared } = session;
    if (shared === undefined) return true;
    let seen = shared.standing;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const present = parseStreamRecord(seen);
      // Nobody has it if the record was lost, or the claim was made while it could not be written down.
      if (present.reader !== reader && (await isTaken(present))) return false;
      const wanted = formatStreamRecord(value);
      const swapped = await this.#swap(session, seen, wanted);
      if (swapped === undefined) return true;
      shared.standing = swapped.field;
      if (swapped.field === wanted) {
        if (claim.takesOver) this.#tellTaken(present);
        claim.takesOver = false;
        return true;
      }
      seen = swapped.field;
    }
    return true;
  }

  #swap(session: Session, from: string | undefined, to: string | undefined) {
    const { key, expires } = session;
    return this.state.swap({
      key: buildRecordKey(key),
      field: SessionField.standing,
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
      expires,
      owner: buildRecordOwner(session),
    });
  }

  async #isRead({ reader }: StreamRecord): Promise<boolean> {
    if (reader === undefined) return false;
    const member = readMember(reader);
    if (member === this.bus.member) return this.#claims.has(reader);
    return (
      (await this.state.members())?.includes(member) === true && (await this.#isReadElsewhere(reader, member))
    );
  }

  /** However many ask for a stream at once, its process is asked once. */
  #isReadElsewhere(reader: string, member: string): Promise<boolean> {
    const asked =
      this.#asked.get(reader) ?? this.#ask(reader, member).finally(() => this.#asked.delete(reader));
    this.#asked.set(reader, asked);
    return asked;
  }

  async #ask(reader: string, member: string): Promise<boolean> {
    try {
      const asked = this.bus.request(IS_READ, { reader }, member);
      return (await withTimeout(asked, ANSWER_MS, createLateError)).isRead;
    } catch (error) {
      // One of another release lives, and does not know the question.
      return error instanceof ClusterBusError && error.reason === 'failed';
    }
  }

  /** Tells whether somebody may have the stream; nobody of this process whose claim is over. */
  #mayBeRead({ reader }: StreamRecord): boolean {
    if (reader === undefined) return false;
    return readMember(reader) !== this.bus.member || this.#claims.has(reader);
  }

  #tellTaken({ reader }: StreamRecord): void {
    if (reader === undefined) return;
    const member = readMember(reader);
    if (member !== this.bus.member) this.bus.send(STANDING_TAKEN, { reader }, member);
  }

  #add(claim: Omit<StreamClaim, 'dismiss'>): StreamClaim {
    const added = { ...claim, dismiss: (): void => undefined };
    this.#claims.set(claim.reader, added);
    return added;
  }
}

/** Messages from before the handshake are for nobody. */
function selectBegin(
  known: StreamCursor | undefined,
  handshake: ClusterPosition | undefined,
): StreamCursor | undefined {
  return known === undefined || (handshake !== undefined && isUpTo(known, handshake)) ? handshake : known;
}

function createLateError(): ClusterBusError {
  return new ClusterBusError('timeout', `The process of a standing stream did not answer in ${ANSWER_MS} ms`);
}
