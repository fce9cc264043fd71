import { Subject, type Observable } from 'rxjs';
import type { SessionOptions } from '../settings/session-options.js';
import { NO_EXPIRY } from './no-expiry.js';
import type { Session } from './session.js';

/** The end of a session, and why. */
export interface SessionEnd {
  readonly session: Session;
  readonly reason: string;
}

/** Reports each session that has ended in all processes once, in the process that ended it. */
export class SessionEnds {
  readonly #ends = new Subject<SessionEnd>();

  constructor(private readonly settings: Pick<SessionOptions, 'recover'>) {}

  get ends$(): Observable<SessionEnd> {
    return this.#ends.asObservable();
  }

  /**
   * Records that this process has ended a session in all processes.
   *
   * @param isExpired whether its lifetime has ended, which each process that knows the session detects itself
   */
  noteDecided(session: Session, reason: string, isExpired: boolean): void {
    if (!isExpired || !session.isRecovered) this.#ends.next({ session, reason });
  }

  /** Records that this process has removed a session. With recovery, another process may resume it. */
  noteRemoved(session: Session, reason: string): void {
    const isOver = this.settings.recover !== true || session.expires === NO_EXPIRY;
    if (isOver) this.#ends.next({ session, reason });
  }
}
