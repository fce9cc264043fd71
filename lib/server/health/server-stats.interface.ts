import type { ClusterStats } from '../settings/cluster/cluster.interface.js';

/** The usage of one resource. */
export interface Use {
  readonly used: number;
  /** The maximum. */
  readonly limit: number;
}

/** A server's current resource usage in this process. */
export interface ServerStats {
  /** Sessions, including HTTP+SSE streams. */
  readonly sessions: Use;
  /** Open `subscriptions/listen` streams. */
  readonly listeners: Use;
  /** Open event streams of any kind. */
  readonly streams: number;
  /** Running requests. */
  readonly running: number;
  /** The estimated memory that clients use, in bytes. */
  readonly memoryBytes: Use;
  /** Whether the server is draining before shutdown. */
  readonly isDraining: boolean;
  /**
   * Whether the server could validate tokens at the last attempt, for example whether it could fetch the signing
   * keys.
   */
  readonly canCheckTokens: boolean;
  /** Whether the most recent audit events could be stored. Absent unless `audit.mode` is `required`. */
  readonly canStoreAudit?: boolean;
  /** Absent without `cluster`. */
  readonly cluster?: ClusterStats;
}
