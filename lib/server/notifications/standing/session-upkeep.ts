import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Relay } from '../../relay/relay.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { BoundedState } from '../../sessions/shared/bounded-state.js';
import { buildRecordKey, SessionField } from '../../sessions/shared/session-record.js';
import type { Session } from '../../sessions/session.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { StandingClaims } from './standing-claims.js';
import { StandingStreams } from './standing-streams.js';

/** How often the use of a session is written down at most, in parts of the time after which it is idle. */
const TIMES = 4;

/** Records that are written at once. */
const AT_ONCE = 100;

/**
 * Lets other processes know which sessions are used in this one, and keeps what the records say of standing streams: neither is done by
 * requests, which wait for nothing.
 */
@Injectable()
export class SessionUpkeep implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #state: BoundedState;
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(
    private readonly relay: Relay,
    private readonly sessions: SessionRegistry,
    private readonly claims: StandingClaims,
    private readonly standing: StandingStreams,
    @Inject(SERVER_SETTINGS) settings: ServerSettings,
  ) {
    this.#state = new BoundedState(relay);
    this.#periodMs = settings.sessions.idleTimeoutMs / TIMES;
  }

  onApplicationBootstrap(): void {
    if (!this.relay.isShared) return;
    const everyMs = Math.min(Math.max(this.#periodMs / TIMES, 50), 60_000);
    this.#timer = setInterval(() => void this.#keep(), everyMs).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.#timer);
  }

  /** Never rejects. */
  async #keep(): Promise<void> {
    if (this.#isRunning || !this.#state.isInReach) return;
    this.#isRunning = true;
    const due = [...this.sessions.all()].filter((session) => this.#isDue(session));
    for (let next = 0; next < due.length && this.#state.isInReach; next += AT_ONCE) {
      await Promise.all(due.slice(next, next + AT_ONCE).map((session) => this.#record(session)));
    }
    const kept = new Set(due);
    for (const claim of this.claims.all()) {
      if (kept.has(claim.session)) await this.claims.keep(claim, this.standing.findRead(claim));
    }
    this.#isRunning = false;
  }

  #isDue({ shared, isBusy, lastActive }: Session): boolean {
    if (shared === undefined || performance.now() - shared.recordedAt < this.#periodMs) return false;
    return isBusy || lastActive > shared.recordedAt;
  }

  async #record({ key, expires, shared, isBusy, lastActive }: Session): Promise<void> {
    if (shared === undefined) return;
    const silentMs = isBusy ? 0 : performance.now() - lastActive;
    const used = String(Math.round(Date.now() - silentMs));
    shared.recordedAt = performance.now();
    await this.#state.change({ key: buildRecordKey(key), set: { [SessionField.used]: used }, expires });
  }
}
