import type { MemoryReservation } from '../../memory/memory-budget.js';

/** The holder of a session slot: a session, or an HTTP+SSE stream. */
export interface SlotHolder {
  /** The caller. Absent if anonymous. */
  readonly identity: string | undefined;
  /** An anonymous caller's address, if known. */
  readonly address: string | undefined;
  /** The time of the last use, or of initialization, on the monotonic clock. */
  readonly usedAt: number;
  /** Whether its client has confirmed initialization. */
  readonly isLive: boolean;
  /** Whether it was used repeatedly, and within the last few seconds. */
  readonly isInUse: boolean;
  /** Whether it has been used since initialization. */
  readonly isUsed: boolean;
  /** Whether a request runs. */
  readonly isRunning: boolean;
  /** Whether its client is reading a stream. */
  readonly isRead: boolean;
  /** Whether it has expired but has not been removed yet. */
  readonly isOver: boolean;
  /** Its memory; absent if it uses none. */
  readonly memory: MemoryReservation | undefined;
  /** Records a use. */
  use(): void;
  /** Ends it because another caller needs its slot. */
  evict(): void;
}
