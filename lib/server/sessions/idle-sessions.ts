import type { MemoryBudget, MemoryEvictor, MemoryNeed } from '../memory/memory-budget.js';
import type { MemoryAccount } from '../memory/memory-account.js';
import type { SlotHolder } from './slots/slot-holder.interface.js';
import type { SessionSlots } from './slots/session-slots.js';
import type { Session } from './session.js';

/** The parts that provide idle sessions. */
export interface SessionSource {
  readonly slots: SessionSlots;
  readonly memory: MemoryBudget;
  /** How long silent clients' sessions last. */
  readonly timeouts: { readonly idleTimeoutMs: number; readonly unusedTimeoutMs: number };
  all(): Iterable<Session>;
}

/**
 * Ends sessions when others need their memory, in the order in which sessions are evicted for slots. Sessions without
 * a token are ended for any caller, and a token holder's sessions are ended for that caller. For other callers with a
 * token, the sessions of the caller that uses the most memory are ended.
 */
export class IdleSessions implements MemoryEvictor {
  constructor(private readonly sessions: SessionSource) {}

  evict(account: MemoryAccount, need: MemoryNeed): void {
    for (const holder of this.#select(account, need)) {
      if (account.hasRoomFor(need.bytes)) return;
      const { memory } = holder;
      if (memory?.account.isWithin(account) === true && memory !== need.excluded) holder.evict();
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

  *#select(account: MemoryAccount, { account: requester, bytes }: MemoryNeed): Generator<SlotHolder> {
    const { owner } = account;
    const isTheirOwn = owner.identity !== undefined;
    const isForKnown = requester.owner.identity !== undefined;
    // A caller's sessions are not ended for memory that becomes free once the caller's requests complete.
    if (!isTheirOwn || !account.isFreeSoon(bytes)) yield* this.sessions.slots.selectIdle(owner, isForKnown);
    if (!isTheirOwn && isForKnown) yield* this.#selectOfMost(requester);
  }

  /**
   * Yields sessions of callers that use more memory than the given caller, until their usage is equal, and then the
   * given caller's sessions.
   */
  *#selectOfMost(other: MemoryAccount): Generator<SlotHolder> {
    const { memory, slots } = this.sessions;
    const callers = [...slots.identities()].flatMap((identity) => {
      const account = memory.findKnown(identity);
      return account === undefined ? [] : [{ identity, account }];
    });
    const byUse = callers.toSorted((one, two) => two.account.used - one.account.used);
    for (const { identity, account } of byUse) {
      for (const holder of slots.selectEvictable(identity)) {
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
