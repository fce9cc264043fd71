import type { MemoryReservation } from '../../memory/memory-budget.js';

/** Holder of a session slot: a session, or an HTTP+SSE stream. */
export interface SlotHolder {
  /** The caller. Absent if anonymous. */
  readonly identity: string | undefined;
  /** Address of an anonymous caller, if known. */
  readonly address: string | undefined;
  /** Time of the last use, or of the handshake, on the monotonic clock. */
  readonly usedAt: number;
  /** Whether its client has confirmed the handshake. */
  readonly isLive: boolean;
  /** Whether it was used repeatedly, and within the last few seconds. */
  readonly isInUse: boolean;
  /** Whether it was used since its handshake. */
  readonly isUsed: boolean;
  /** Whether a request runs. */
  readonly isRunning: boolean;
  /** Whether its client reads a stream. */
  readonly isRead: boolean;
  /** Whether it has expired, but was not removed yet. */
  readonly isOver: boolean;
  /** Its memory; absent if it uses none. */
  readonly memory: MemoryReservation | undefined;
  /** Records a use. */
  use(): void;
  /** Ends it, since another caller needs its slot. */
  evict(): void;
}
