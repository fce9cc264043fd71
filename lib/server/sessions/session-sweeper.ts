import type { ServerSettings } from '../settings/server-settings.js';
import type { Session } from './session.js';

/** The sessions to look at, and what becomes of those whose time is over. */
export interface SweptSessions {
  all(): Iterable<Session>;
  /** Ends one that must not be used any more. */
  expire(session: Session): void;
  /** Ends one of whose client nothing was heard for long. */
  leave(session: Session): void;
  /** Ends one that was not used since its handshake. */
  giveUpUnused(session: Session): void;
  /** Forgets what is not needed any more at a time, in milliseconds of the epoch. */
  forget(now: number): void;
}

/** Looks from time to time which sessions are over, from the first of them on. */
export class SessionSweeper {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly settings: Pick<ServerSettings['sessions'], 'idleTimeoutMs' | 'unusedTimeoutMs'>,
    private readonly sessions: SweptSessions,
  ) {}

  start(): void {
    this.#timer ??= this.#startSweeping();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #startSweeping(): NodeJS.Timeout {
    const { idleTimeoutMs, unusedTimeoutMs } = this.settings;
    const period = Math.min(Math.max(Math.min(idleTimeoutMs, unusedTimeoutMs) / 4, 50), 60_000);
    let last = performance.now();
    const sweepInTime = (): void => {
      const isLate = performance.now() - last > 2 * period;
      last = performance.now();
      if (isLate) this.#forgiveSilence();
      else this.#sweep();
    };
    return setInterval(sweepInTime, period).unref();
  }

  /** A process that stood still heard nobody: what it takes for silence may wait to be read. */
  #forgiveSilence(): void {
    for (const session of this.sessions.all()) session.keepAlive();
  }

  #sweep(): void {
    const now = Date.now();
    const deadline = performance.now() - this.settings.idleTimeoutMs;
    const unusedDeadline = performance.now() - this.settings.unusedTimeoutMs;
    this.sessions.forget(now);
    for (const session of this.sessions.all()) {
      if (session.expires <= now) this.sessions.expire(session);
      else if (session.isBusy) session.keepAlive();
      else if (session.isIdleSince(deadline)) this.sessions.leave(session);
      else if (session.isUnusedSince(unusedDeadline)) this.sessions.giveUpUnused(session);
    }
  }
}
