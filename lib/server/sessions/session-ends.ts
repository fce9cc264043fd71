import { Subject, type Observable } from 'rxjs';
import type { SessionOptions } from '../settings/session-options.js';
import { LASTING } from './lasting.js';
import type { Session } from './session.js';

/** The end of a session, and why. */
export interface SessionEnd {
  readonly session: Session;
  readonly reason: string;
}

/** Tells about sessions that are over in all processes, once each: in the process that has decided so. */
export class SessionEnds {
  readonly #ends = new Subject<SessionEnd>();

  constructor(private readonly settings: Pick<SessionOptions, 'recover'>) {}

  get ends$(): Observable<SessionEnd> {
    return this.#ends.asObservable();
  }

  /**
   * Notes that this process has ended a session for all of them.
   *
   * @param isExpired whether its time is over, which each process that knows it sees by itself
   */
  noteDecided(session: Session, reason: string, isExpired: boolean): void {
    if (!isExpired || !session.isRecovered) this.#ends.next({ session, reason });
  }

  /** Notes that a session is not known here any more: another process may take it up, if there are others. */
  noteRemoved(session: Session, reason: string): void {
    const isOver = this.settings.recover !== true || session.expires === LASTING;
    if (isOver) this.#ends.next({ session, reason });
  }
}
