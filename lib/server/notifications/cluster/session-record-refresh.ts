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

/** How often the use of a session is written down at most, in parts of the time after which it is idle. */
const TIMES = 4;

/** Records that are written at once. */
const AT_ONCE = 100;

/**
 * Reports the sessions in use here to other processes, and maintains the records of standing streams. Restores both after
 * the engine was out of reach. Requests do none of this, so they wait for nothing.
 */
export class SessionRecordRefresh implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  /** Which log it was when it was looked last. */
  #epoch: string | undefined;
  /** Whether what this process knows is still to be written again. */
  #isLost = false;
  #mending: Promise<void> = Promise.resolve();

  constructor(
    private readonly bus: ClusterBus,
    private readonly state: BoundedState,
    private readonly sessions: SessionRegistry,
    private readonly lost: LostRecords,
    private readonly claims: StreamClaims,
    private readonly standing: StandaloneStreams,
    settings: ServerSettings,
  ) {
    this.#periodMs = settings.sessions.idleTimeoutMs / TIMES;
  }

  onApplicationBootstrap(): void {
    if (!this.bus.isShared) return;
    this.#epoch = this.bus.position?.epoch;
    this.bus.onEarlyGap(() => this.#miss());
    this.bus.onReconnect(() => this.#mend());
    const everyMs = Math.min(Math.max(this.#periodMs / TIMES, 50), 60_000);
    this.#timer = setInterval(() => void this.#keep(), everyMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** Changes that this process missed are in the records of the sessions, unless the records are gone with the log. */
  #miss(): void {
    if (!this.#noteLog()) {
      for (const { shared } of this.sessions.all()) if (shared !== undefined) shared.isUnread = true;
    }
    this.standing.lose();
    this.#mend();
  }

  /** Tells whether there is another log than before. */
  #noteLog(): boolean {
    const { position } = this.bus;
    if (position?.epoch === this.#epoch) return false;
    this.#epoch = position?.epoch;
    this.#isLost = true;
    return true;
  }

  #mend(): void {
    this.#mending = this.#mending.then(() => this.#mendNow());
  }

  /** If records are gone with the log, the processes that know their content write it again. It never rejects. */
  async #mendNow(): Promise<void> {
    if (!this.bus.isConnected) return;
    this.#noteLog();
    const wasLost = this.#isLost;
    this.#isLost = false;
    if (wasLost && !(await this.lost.restoreSessions())) this.#isLost = true;
    const claims = [...this.claims.all()];
    for (let next = 0; next < claims.length; next += AT_ONCE) {
      await Promise.all(claims.slice(next, next + AT_ONCE).map((claim) => this.#keepClaim(claim)));
    }
    if (wasLost && !(await this.lost.restoreEnds())) this.#isLost = true;
  }

  /** Never rejects. */
  async #keep(): Promise<void> {
    if (this.#isRunning || !this.state.isInReach) return;
    this.#isRunning = true;
    if (this.#isLost) this.#mend();
    const due = [...this.sessions.all()].filter((session) => this.#isDue(session));
    for (let next = 0; next < due.length && this.state.isInReach; next += AT_ONCE) {
      await Promise.all(due.slice(next, next + AT_ONCE).map((session) => this.#record(session)));
    }
    const kept = new Set(due);
    for (const claim of this.claims.all()) {
      if (kept.has(claim.session)) await this.#keepClaim(claim);
    }
    this.#isRunning = false;
  }

  #keepClaim(claim: StreamClaim): Promise<void> {
    return this.claims.keep(claim, this.standing.findRead(claim));
  }

  #isDue({ shared }: Session): boolean {
    return shared !== undefined && performance.now() - (shared.recordedAt ?? shared.since) >= this.#periodMs;
  }

  async #record(session: Session): Promise<void> {
    const change = noteUse(session, this.bus);
    if (change !== undefined) await this.state.change(change);
  }
}
