import type { MemoryBudget, MemoryReservation } from '../../../../lib/server/memory/memory-budget.js';
import { MemoryLimitError } from '../../../../lib/server/memory/memory-limits.js';

/** Bounds that a few holds reach. */
export const memory = {
  maxBytes: 10_000,
  maxBytesPerCaller: 4000,
  maxAnonymousBytes: 6000,
  maxBytesPerAddress: 3000,
};

export const ADA = { identity: 'ada' };
export const STRANGER = { address: '192.0.2.1' };

/** Takes memory in small pieces until there is no room. */
export function fillBudget(budget: MemoryBudget, owner: object, isPassing = false): MemoryReservation[] {
  const holds: MemoryReservation[] = [];
  for (;;) {
    try {
      holds.push(budget.hold(owner, 10, isPassing));
    } catch (error) {
      if (error instanceof MemoryLimitError) return holds;
      throw error;
    }
  }
}
