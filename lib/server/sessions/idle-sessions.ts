import type { MemoryAccount } from '../memory/memory-account.js';
import type { MemoryKeeper } from '../memory/memory-budget.js';
import { LASTING } from './lasting.js';
import type { Session } from './session.js';

/** Of the idle sessions, one in so many ends when memory is needed. */
const SHARE_AT_ONCE = 16;

/** The sessions that are given up when others need their memory. */
export interface SessionSource {
  all(): Iterable<Session>;
  /** Ends a session; if others may adopt it, its client can go on with it. */
  giveUp(session: Session): void;
}

/** Gives up sessions of strangers for others who need the memory, those first that have been idle for longest. */
export class IdleSessions implements MemoryKeeper {
  constructor(
    private readonly sessions: SessionSource,
    private readonly timeouts: { readonly idleTimeoutMs: number; readonly unusedTimeoutMs: number },
  ) {}

  giveUp(account: MemoryAccount, bytes: number): void {
    const idle = [...this.sessions.all()]
      .filter((session) => session.identity === undefined && isIdleWithin(session, account))
      .toSorted((one, other) => one.lastActive - other.lastActive);
    // To look for them costs more than to end them: several at once make room for a while.
    let least = idle.length / SHARE_AT_ONCE;
    for (const session of idle) {
      if (least <= 0 && account.hasRoomFor(bytes)) return;
      this.sessions.giveUp(session);
      least -= 1;
    }
  }

  findEnd(account: MemoryAccount): number | undefined {
    const now = Date.now();
    let end: number | undefined;
    for (const session of this.sessions.all()) {
      if (!session.memory.account.isWithin(account)) continue;
      const ends = Math.min(
        session.expires,
        session.isBusy ? session.expires : now + this.#countLeft(session),
      );
      end = Math.min(end ?? ends, ends);
    }
    return end;
  }

  /** Counts the milliseconds until a session ends if nothing is heard of its client. */
  #countLeft({ isUsed, lastActive }: Session): number {
    const { idleTimeoutMs, unusedTimeoutMs } = this.timeouts;
    const timeoutMs = isUsed ? idleTimeoutMs : Math.min(idleTimeoutMs, unusedTimeoutMs);
    return Math.max(timeoutMs - (performance.now() - lastActive), 0);
  }
}

/** A client whose stream ends begins again; one whose connection is its session has nothing else. */
function isIdleWithin(session: Session, account: MemoryAccount): boolean {
  const isIdle = session.expires === LASTING ? !session.isBusy : !session.isRunning;
  return isIdle && session.memory.account.isWithin(account);
}
