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

/** Nobody knows when the engine is back. */
const RETRY_AFTER_MS = 5000;

/**
 * Entries of the log that one caller, all known callers together, or all callers of unknown address may cause in this
 * process. Changes beyond that are told together.
 */
const OF_A_CALLER = { burst: 200, perSecond: 2 };
const OF_ALL = { burst: 500, perSecond: 10 };

/** Characters that count as one more entry. */
const ENTRY_CHARACTERS = 1024;

/** How a change is announced: by its own entry, or together with others because this caller or all callers change much. */
type PublishMode = 'alone' | 'together' | 'beyond its share';

/** Announces a change. Returns a promise that the client's answer must wait for, if there is one. */
export type PublishChange = (
  change: Omit<SessionChange, 'key'>,
  recordChange: Omit<ClusterRecordChange, 'key' | 'expires'>,
) => Promise<void>;

/**
 * Tells every process what becomes of sessions. Each change is an entry of the log. A caller that keeps changing
 * sessions must not push entries of others out of the log. So the records change, and other processes are told at most
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

  /** Pending announcements are sent before the process leaves. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#collected.close();
  }

  /**
   * Asks for a turn to announce a coming change. Returns `undefined` if no other process can have the session.
   *
   * @param characters how long what is to be told is
   * @throws {McpError} with HTTP status 429 if the caller changes too much while nobody can be told
   */
  take(session: Session, characters = 0): PublishChange | undefined {
    if (session.shared === undefined) return undefined;
    const way = this.#select(session, characters);
    if (way === 'beyond its share' && !this.state.isInReach) throw createBusyError();
    return (change, recordChange) => this.#publish(session, way, change, recordChange);
  }

  /** Tells again what this process knows of a session, because others may know less. It counts as a change by the client. */
  repeat(session: Session, { told, change }: Restored): void {
    const { subscribed = [], unsubscribed = [] } = told;
    const characters = [...subscribed, ...unsubscribed].reduce((sum, uri) => sum + uri.length, 0);
    if (this.#select(session, characters) === 'alone') this.bus.publish(SESSION_CHANGE, told, change);
    else void this.#collected.add(session.key, change);
  }

  /**
   * Tells what the record of a session says by now of the lists that its client knows. It counts as a change by the client.
   * Its promise settles when that was told, or could not be in time, and never rejects.
   */
  tellLists(session: Session, lists: string): Promise<void> {
    const { key } = session;
    if (this.#select(session, lists.length) !== 'alone') return this.#collected.add(key);
    return this.state.publish(SESSION_CHANGE, { key, lists });
  }

  /** Tells that a session has ended. Its promise settles when the others were told, or could not be. */
  end(session: Pick<Session, 'key' | 'expires' | 'identity' | 'address'>): Promise<void> {
    const { key, expires } = session;
    const change = buildEndedRecord(session);
    if (this.#select(session, 0) !== 'alone') return this.#collected.add(key, change);
    return this.bus.publishFlushed(SESSION_CHANGE, { key, ended: expires }, change);
  }

  /**
   * Announces later, with others, that the roots of a session's client have changed. Returns what settles when that was
   * told, or could not be, or `undefined` if it is to be told alone.
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
      const told = this.#collected.add(key);
      // From the answer on, the client must get the new messages. So no process may use the earlier state.
      return way === 'together' || change.unsubscribed === undefined ? told : undefined;
    }
    return this.state.publish(SESSION_CHANGE, { key, ...change }, record);
  }
}

function createBusyError(): RateLimitedError {
  const text = 'The session is changed more often than can be kept at the moment: try again later';
  return new RateLimitedError(text, { retryAfterMs: RETRY_AFTER_MS });
}
