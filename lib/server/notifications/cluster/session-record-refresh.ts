import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import type { ClusterBus } from '../../cluster/cluster-bus.js';
import type { SessionRegistry } from '../../sessions/session-registry.js';
import type { BoundedState } from '../../sessions/shared/bounded-state.js';
import type { LostRecords } from '../../sessions/shared/lost-records.js';
import { noteUse } from '../../sessions/shared/session-record.js';
import type { Session } from '../../sessions/session.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { StreamClaims, StreamClaim } from './stream-claims.js';
import type { StandaloneStreams } from './standalone-streams.js';

/** The number of record refreshes within a session's idle timeout. */
const REFRESHES = 4;

/** The maximum number of records to write concurrently. */
const BATCH = 100;

/**
 * Refreshes the records of the sessions and standalone SSE streams that this process serves, and restores them after
 * the backend was unavailable. Requests do none of this, so they never wait for it.
 */
export class SessionRecordRefresh implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  /** The log at the last check. */
  #epoch: string | undefined;
  /** Whether this process's records were lost with the log and must be rewritten. */
  #isLost = false;
  #restoring: Promise<void> = Promise.resolve();

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
    private readonly sessions: SessionRegistry,
    private readonly lost: LostRecords,
    private readonly claims: StreamClaims,
    private readonly streams: StandaloneStreams,
    settings: ServerSettings,
  ) {
    this.#periodMs = settings.sessions.idleTimeoutMs / REFRESHES;
  }

  onApplicationBootstrap(): void {
    if (!this.bus.isShared) return;
    this.#epoch = this.bus.position?.epoch;
    this.bus.onEarlyGap(() => this.#handleGap());
    this.bus.onReconnect(() => this.#restore());
    const everyMs = Math.min(Math.max(this.#periodMs / REFRESHES, 50), 60_000);
    this.#timer = setInterval(() => void this.#refresh(), everyMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** The sessions' records contain the changes that this process missed, unless they were lost with the log. */
  #handleGap(): void {
    if (!this.#detectNewLog()) {
      for (const { shared } of this.sessions.all()) if (shared !== undefined) shared.isUnread = true;
    }
    this.streams.reportLoss();
    this.#restore();
  }

  /** Returns whether the log was replaced since the last check. */
  #detectNewLog(): boolean {
    const { position } = this.bus;
    if (position?.epoch === this.#epoch) return false;
    this.#epoch = position?.epoch;
    this.#isLost = true;
    return true;
  }

  #restore(): void {
    this.#restoring = this.#restoring.then(() => this.#restoreNow());
  }

  /** If records were lost with the log, the processes that know their content rewrite them. It never rejects. */
  async #restoreNow(): Promise<void> {
    if (!this.bus.isConnected) return;
    this.#detectNewLog();
    const wasLost = this.#isLost;
    this.#isLost = false;
    if (wasLost && !(await this.lost.restoreSessions())) this.#isLost = true;
    const claims = [...this.claims.all()];
    for (let next = 0; next < claims.length; next += BATCH) {
      await Promise.all(claims.slice(next, next + BATCH).map((claim) => this.#renewClaim(claim)));
    }
    if (wasLost && !(await this.lost.restoreEnds())) this.#isLost = true;
  }

  /** Never rejects. */
  async #refresh(): Promise<void> {
    if (this.#isRunning || !this.state.isInReach) return;
    this.#isRunning = true;
    if (this.#isLost) this.#restore();
    const due = [...this.sessions.all()].filter((session) => this.#isDue(session));
    for (let next = 0; next < due.length && this.state.isInReach; next += BATCH) {
      await Promise.all(due.slice(next, next + BATCH).map((session) => this.#refreshSession(session)));
    }
    const refreshed = new Set(due);
    for (const claim of this.claims.all()) {
      if (refreshed.has(claim.session)) await this.#renewClaim(claim);
    }
    this.#isRunning = false;
  }

  #renewClaim(claim: StreamClaim): Promise<void> {
    return this.claims.renew(claim, this.streams.findRead(claim));
  }

  #isDue({ shared }: Session): boolean {
    return shared !== undefined && performance.now() - (shared.recordedAt ?? shared.since) >= this.#periodMs;
  }

  async #refreshSession(session: Session): Promise<void> {
    const change = noteUse(session, this.bus);
    if (change !== undefined) await this.state.change(change);
  }
}
