import type { BeforeApplicationShutdown } from '@nestjs/common';
import { RateLimitedError } from '../../../core/protocol/rate-limited.error.js';
import { TokenBuckets } from '../../../core/async/rate-limits.js';
import { buildRecordOwner } from '../../cluster/build-record-owner.js';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { ClusterRecordChange } from '../../settings/cluster/cluster.interface.js';
import { nameSharer } from '../caller-shares.js';
import type { Session } from '../session.js';
import { BoundedState } from './bounded-state.js';
import { UpdateCollector } from './update-collector.js';
import type { Restored } from './restored-session.js';
import { SESSION_CHANGE, type SessionChange } from './session-change.js';
import { buildEndedRecord, buildRecordKey } from './session-record.js';

/** A guess, because the backend may be unavailable for longer. */
const RETRY_AFTER_MS = 5000;

/**
 * The number of log entries that one caller, all known callers together, or all callers with an unknown address may
 * cause in this process. Further changes are batched.
 */
const OF_A_CALLER = { burst: 200, perSecond: 2 };
const OF_ALL = { burst: 500, perSecond: 10 };

/** Characters that count as one more entry. */
const ENTRY_CHARACTERS = 1024;

/**
 * How a change is published: as a separate entry, or batched because this caller, or all callers together, exceed the
 * rate.
 */
type PublishMode = 'alone' | 'together' | 'beyond its share';

/** Publishes a change. The response to the client must wait for the promise. */
export type PublishChange = (
  change: Omit<SessionChange, 'key'>,
  recordChange: Omit<ClusterRecordChange, 'key' | 'expires'>,
) => Promise<void>;

/**
 * Publishes session changes to every process. Each change is an entry in the cluster log. To protect the log from
 * callers that change sessions often, their changes go only to the records, and other processes are asked at most
 * twice a second to read them.
 */
export class SessionUpdates implements BeforeApplicationShutdown {
  readonly #ofCallers = new TokenBuckets(OF_A_CALLER);
  readonly #ofAll = new TokenBuckets(OF_ALL);
  readonly #collected: UpdateCollector;

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState = new BoundedState(bus),
  ) {
    this.#collected = new UpdateCollector(bus, state);
  }

  /** Sends pending updates before the process leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#collected.close();
  }

  /**
   * Reserves the publication of a change. Returns `undefined` if no other process can have the session.
   *
   * @param characters the change's length
   * @throws {McpError} with HTTP status 429 if the caller makes too many changes while the backend is unreachable
   */
  take(session: Session, characters = 0): PublishChange | undefined {
    if (session.shared === undefined) return undefined;
    const way = this.#select(session, characters);
    if (way === 'beyond its share' && !this.state.isInReach) throw createBusyError();
    return (change, recordChange) => this.#publish(session, way, change, recordChange);
  }

  /** Republishes a session's known state for processes that may have missed it. Counts as a change by the client. */
  repeat(session: Session, { published, change }: Restored): void {
    const { subscribed = [], unsubscribed = [] } = published;
    const characters = [...subscribed, ...unsubscribed].reduce((sum, uri) => sum + uri.length, 0);
    if (this.#select(session, characters) === 'alone') this.bus.publish(SESSION_CHANGE, published, change);
    else void this.#collected.add(session.key, change);
  }

  /**
   * Publishes the digests of the lists that a session's client knows. Counts as a change by the client. The promise settles
   * after publication or a timeout, and never rejects.
   */
  tellLists(session: Session, lists: string): Promise<void> {
    const { key } = session;
    if (this.#select(session, lists.length) !== 'alone') return this.#collected.add(key);
    return this.state.publish(SESSION_CHANGE, { key, lists });
  }

  /** Publishes a session's end. The promise settles when that has succeeded or failed. */
  end(session: Pick<Session, 'key' | 'expires' | 'identity' | 'address'>): Promise<void> {
    const { key, expires } = session;
    const change = buildEndedRecord(session);
    if (this.#select(session, 0) !== 'alone') return this.#collected.add(key, change);
    return this.bus.publishFlushed(SESSION_CHANGE, { key, ended: expires }, change);
  }

  /**
   * Adds a change of a client's roots to the next batch. The promise settles when the batch was published, or failed.
   * Returns `undefined` if the change needs a separate entry.
   */
  collectRoots(session: Session): Promise<void> | undefined {
    return this.#select(session, 0) === 'alone' ? undefined : this.#collected.addRoots(session.key);
  }

  #select(caller: Pick<Session, 'key' | 'identity' | 'address'>, characters: number): PublishMode {
    const cost = 1 + Math.floor(characters / ENTRY_CHARACTERS);
    if (!this.#ofCallers.take(nameSharer(caller), cost)) return 'beyond its share';
    const isKnown = (caller.identity ?? caller.address) !== undefined;
    return this.#ofAll.take(isKnown ? 'known' : 'unknown', cost) ? 'alone' : 'together';
  }

  async #publish(
    session: Session,
    way: PublishMode,
    change: Omit<SessionChange, 'key'>,
    recordChange: Omit<ClusterRecordChange, 'key' | 'expires'>,
  ): Promise<void> {
    const { key, expires } = session;
    const owner = buildRecordOwner(session);
    const record = { ...recordChange, key: buildRecordKey(key), expires, owner };
    if (way !== 'alone' && (await this.state.change(record))) {
      const published = this.#collected.add(key);
      // After the response, no process may use the earlier state: the client must receive the new messages.
      return way === 'together' || change.unsubscribed === undefined ? published : undefined;
    }
    return this.state.publish(SESSION_CHANGE, { key, ...change }, record);
  }
}

function createBusyError(): RateLimitedError {
  const text = 'The session is changing faster than its state can be stored at the moment: try again later';
  return new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
}
