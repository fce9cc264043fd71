import { withTimeout } from '../../../core/async/timeouts.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import { isUpTo } from '../../cluster/position.js';
import { type ClusterBus, ClusterBusError, Query, Topic } from '../../cluster/cluster-bus.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import { formatCursor, parseCursor, type StreamCursor } from '../../sessions/streams/stream-cursor.js';
import type { Session } from '../../sessions/session.js';
import type { ClusterPosition } from '../../settings/cluster/cluster.interface.js';

/** Notifies a process that another reader has claimed a standalone SSE stream. */
const STREAM_CLAIMED = new Topic<{ readonly reader: string }>('standing.taken');

/** Asks a process whether one of its readers is still connected. */
const IS_READ = new Query<{ readonly reader: string }, { readonly isRead: boolean }>('standing.is-read');

/**
 * Milliseconds within which a process must respond. A killed process stays listed for a while, even though its client
 * is already back.
 */
const RESPONSE_MS = 3000;

/** The number of attempts to change a record that other processes also change. */
const MOST_ATTEMPTS = 8;

/** One reader's claim, across all processes, to a session's standalone SSE stream. */
export interface StreamClaim {
  readonly session: Session;
  readonly reader: string;
  /** The cursor after which the reader must get all messages; absent if unknown. */
  readonly begin: StreamCursor | undefined;
  /**
   * Whether the reader's claim must still be revoked in the record, which was unavailable when the client
   * reconnected.
   */
  replacesReader: boolean;
  /** Ends the stream, because another reader has claimed it. */
  dismiss: () => void;
}

/** Grants a session's standalone SSE stream to one reader at a time, across all processes. */
export class StreamClaims {
  readonly #claims = new Map<string, StreamClaim>();
  /** Pending requests about other processes' readers. */
  readonly #pending = new Map<string, Promise<boolean>>();
  #count = 0;

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
  ) {
    bus.on(STREAM_CLAIMED, ({ reader }) => this.#claims.get(reader)?.dismiss());
    bus.respond(IS_READ, ({ reader }) => ({ isRead: this.#claims.has(reader) }));
  }

  all(): Iterable<StreamClaim> {
    return this.#claims.values();
  }

  /**
   * Claims a session's stream. Resolves to `undefined` if it already has a reader. If that cannot be determined in
   * time, the claim is granted.
   *
   * @param after the client's last event, which entitles it to replace another reader
   */
  async claim(session: Session, after: StreamCursor | undefined): Promise<StreamClaim | undefined> {
    this.#count += 1;
    const reader = `${this.bus.member}.${this.#count}`;
    let seen = session.shared?.standing;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const present = parseClaimRecord(seen);
      const begin = selectBegin(after ?? present.read, session.shared?.begin);
      const isFree = after !== undefined || !(await this.#hasReader(present));
      const wanted = isFree ? formatClaimRecord({ reader, read: begin }) : seen;
      const swapped = await this.#swap(session, seen, wanted);
      if (swapped === undefined)
        return this.#add({ session, reader, begin, replacesReader: after !== undefined });
      if (session.shared !== undefined) session.shared.standing = swapped.field;
      if (swapped.field === wanted) {
        if (!isFree) return undefined;
        this.#notifyReplaced(present);
        return this.#add({ session, reader, begin, replacesReader: false });
      }
      seen = swapped.field;
    }
    if (after === undefined) return undefined;
    return this.#add({
      session,
      reader,
      begin: selectBegin(after, session.shared?.begin),
      replacesReader: true,
    });
  }

  /** Releases a claim, with its reader's cursor. */
  release(claim: StreamClaim, read: StreamCursor | undefined): void {
    if (!this.#claims.delete(claim.reader)) return;
    void this.#write(claim, { read }, (present) => this.#mayHaveReader(present));
  }

  /**
   * Rewrites a lost claim to the record with its reader's current cursor. Ends the stream of a reader that was
   * replaced without notice. The process in the record may have ended while the record was unavailable.
   */
  async renew(claim: StreamClaim, read: StreamCursor | undefined): Promise<void> {
    const isRenewed = await this.#write(
      claim,
      { reader: claim.reader, read },
      (present) => !claim.replacesReader && this.#hasReader(present),
    );
    if (!isRenewed && this.#claims.has(claim.reader)) claim.dismiss();
  }

  /** Writes a claim's new state. Returns whether this process believes that its reader still has it. */
  async #write(
    claim: StreamClaim,
    value: ClaimRecord,
    hasOther: (present: ClaimRecord) => boolean | Promise<boolean>,
  ): Promise<boolean> {
    const { reader, session } = claim;
    const { shared } = session;
    if (shared === undefined) return true;
    let seen = shared.standing;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      const present = parseClaimRecord(seen);
      // The record has no reader if it was lost, or if it was unavailable when the stream was claimed.
      if (present.reader !== reader && (await hasOther(present))) return false;
      const wanted = formatClaimRecord(value);
      const swapped = await this.#swap(session, seen, wanted);
      if (swapped === undefined) return true;
      shared.standing = swapped.field;
      if (swapped.field === wanted) {
        if (claim.replacesReader) this.#notifyReplaced(present);
        claim.replacesReader = false;
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

  async #hasReader({ reader }: ClaimRecord): Promise<boolean> {
    if (reader === undefined) return false;
    const member = readMember(reader);
    if (member === this.bus.member) return this.#claims.has(reader);
    return (
      (await this.state.members())?.includes(member) === true && (await this.#hasRemoteReader(reader, member))
    );
  }

  /** Concurrent claims of a stream share one request to its process. */
  #hasRemoteReader(reader: string, member: string): Promise<boolean> {
    const pending =
      this.#pending.get(reader) ?? this.#request(reader, member).finally(() => this.#pending.delete(reader));
    this.#pending.set(reader, pending);
    return pending;
  }

  async #request(reader: string, member: string): Promise<boolean> {
    try {
      const response = this.bus.request(IS_READ, { reader }, member);
      return (await withTimeout(response, RESPONSE_MS, createLateError)).isRead;
    } catch (error) {
      // A process from another release is running that does not support the query.
      return error instanceof ClusterBusError && error.reason === 'failed';
    }
  }

  /**
   * Returns whether another reader may have the stream. This process's readers count only while their claims last.
   */
  #mayHaveReader({ reader }: ClaimRecord): boolean {
    if (reader === undefined) return false;
    return readMember(reader) !== this.bus.member || this.#claims.has(reader);
  }

  #notifyReplaced({ reader }: ClaimRecord): void {
    if (reader === undefined) return;
    const member = readMember(reader);
    if (member !== this.bus.member) this.bus.send(STREAM_CLAIMED, { reader }, member);
  }

  #add(claim: Omit<StreamClaim, 'dismiss'>): StreamClaim {
    const added = { ...claim, dismiss: (): void => undefined };
    this.#claims.set(claim.reader, added);
    return added;
  }
}

/** Messages from before initialization are never sent. */
function selectBegin(
  known: StreamCursor | undefined,
  handshake: ClusterPosition | undefined,
): StreamCursor | undefined {
  return known === undefined || (handshake !== undefined && isUpTo(known, handshake)) ? handshake : known;
}

function createLateError(): ClusterBusError {
  return new ClusterBusError(
    'timeout',
    `The process that serves a standalone SSE stream did not respond within ${RESPONSE_MS} ms`,
  );
}

/** The standalone SSE stream in a session's record: `<member>.<count>@<cursor>`. Each half may be absent. */
export interface ClaimRecord {
  /** The reader: a process, and the stream's number in it. */
  readonly reader?: string | undefined;
  /** The last reader's cursor. */
  readonly read?: StreamCursor | undefined;
}

export function formatClaimRecord({ reader = '', read }: ClaimRecord): string {
  return `${reader}@${read === undefined ? '' : formatCursor(read)}`;
}

export function parseClaimRecord(text = ''): ClaimRecord {
  const [reader, read] = text.split('@');
  return { reader: reader === '' ? undefined : reader, read: parseCursor(read) };
}

/** Returns the name of a reader's process. */
export function readMember(reader: string): string {
  return reader.split('.')[0] ?? '';
}
