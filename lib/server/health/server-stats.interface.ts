import type { ClusterStats } from '../settings/cluster/cluster.interface.js';

/** The use of one resource. */
export interface Use {
  readonly used: number;
  /** The bound. */
  readonly limit: number;
}

/** What a server uses now, in this process. */
export interface ServerStats {
  /** Sessions, and streams of HTTP+SSE. */
  readonly sessions: Use;
  /** Streams of `subscriptions/listen`. */
  readonly listeners: Use;
  /** Open event streams of any kind. */
  readonly streams: number;
  /** Requests that run. */
  readonly running: number;
  /** Bytes that the server keeps for clients, as an estimate. */
  readonly memoryBytes: Use;
  /** Whether the server is about to end. */
  readonly isDraining: boolean;
  /** Whether tokens could be checked when that was last tried. */
  readonly canCheckTokens: boolean;
  /** Whether the last events of the audit could be kept. Absent unless `audit.mode` is `required`. */
  readonly canStoreAudit?: boolean;
  /** Absent without other processes. */
  readonly cluster?: ClusterStats;
}
