import type { MemoryReservation } from '../../memory/memory-budget.js';

/** Who has one of the places of a server: a session, or a stream of HTTP+SSE. */
export interface SlotHolder {
  /** Whose it is; nothing for a caller without a token. */
  readonly identity: string | undefined;
  /** Where a caller without a token came from, if that is known. */
  readonly address: string | undefined;
  /** When it was opened, or used last, by the monotonic clock. */
  readonly usedAt: number;
  /** Whether its client has confirmed the handshake. */
  readonly isLive: boolean;
  /** Whether it is used again and again, the last time a few seconds ago at most. */
  readonly isInUse: boolean;
  /** Whether it was used since its handshake. */
  readonly isUsed: boolean;
  /** Whether a request runs. */
  readonly isRunning: boolean;
  /** Whether its client reads a stream. */
  readonly isRead: boolean;
  /** Whether its time is over, though nobody has ended it yet. */
  readonly isOver: boolean;
  /** Its memory; absent if it uses none. */
  readonly memory: MemoryReservation | undefined;
  /** Notes that it is used. */
  use(): void;
  /** Ends it, since another needs its place. */
  evict(): void;
}
