import type { MemoryBudget, MemoryEvictor, MemoryNeed } from '../memory/memory-budget.js';
import type { MemoryAccount } from '../memory/memory-account.js';
import type { SlotHolder } from './slots/slot-holder.interface.js';
import type { SessionSlots } from './slots/session-slots.js';
import type { Session } from './session.js';

/** The parts that provide idle sessions. */
export interface SessionSource {
  readonly places: SessionSlots;
  readonly memory: MemoryBudget;
  /** How long sessions of silent clients last. */
  readonly timeouts: { readonly idleTimeoutMs: number; readonly unusedTimeoutMs: number };
  all(): Iterable<Session>;
}

/**
 * Ends sessions when others need their memory, in the order in which sessions are evicted for slots. Sessions without a token
 * end for any caller, and a token holder's sessions end for that caller. For other callers with a token, sessions of the
 * caller that uses the most memory end.
 */
export class IdleSessions implements MemoryEvictor {
  constructor(private readonly sessions: SessionSource) {}

  evict(account: MemoryAccount, need: MemoryNeed): void {
    for (const holder of this.#select(account, need)) {
      if (account.hasRoomFor(need.bytes)) return;
      const { memory } = holder;
      if (memory?.account.isWithin(account) === true && memory !== need.kept) holder.evict();
    }
  }

  findExpiry(account: MemoryAccount): number | undefined {
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

  *#select(account: MemoryAccount, { account: asker, bytes }: MemoryNeed): Generator<SlotHolder> {
    const { owner } = account;
    const isTheirOwn = owner.identity !== undefined;
    const isForKnown = asker.owner.identity !== undefined;
    // No caller's sessions end for memory that is free once the caller's requests complete.
    if (!isTheirOwn || !account.isFreeSoon(bytes)) yield* this.sessions.places.selectIdle(owner, isForKnown);
    if (!isTheirOwn && isForKnown) yield* this.#selectOfMost(asker);
  }

  /**
   * Yields sessions of callers that use more memory than the given caller, until their use is level. Then yields sessions
   * of the given caller.
   */
  *#selectOfMost(other: MemoryAccount): Generator<SlotHolder> {
    const { memory, places } = this.sessions;
    const callers = [...places.identities()].flatMap((identity) => {
      const account = memory.findKnown(identity);
      return account === undefined ? [] : [{ identity, account }];
    });
    const byUse = callers.toSorted((one, two) => two.account.used - one.account.used);
    for (const { identity, account } of byUse) {
      for (const holder of places.selectEvictable(identity)) {
        if (account !== other && account.used <= other.used) break;
        yield holder;
      }
    }
  }

  /** Counts the milliseconds until a session ends if its client stays silent. */
  #countLeft({ isUsed, lastActive }: Session): number {
    const { idleTimeoutMs, unusedTimeoutMs } = this.sessions.timeouts;
    const timeoutMs = isUsed ? idleTimeoutMs : Math.min(idleTimeoutMs, unusedTimeoutMs);
    return Math.max(timeoutMs - (performance.now() - lastActive), 0);
  }
}
