import type { RelayFigures } from '../settings/cluster/cluster.interface.js';

/** How much of something is in use. */
export interface Use {
  readonly used: number;
  /** The bound. */
  readonly most: number;
}

/** What a server has in use now, in this process. */
export interface ServerFigures {
  /** Sessions, and streams of HTTP+SSE. */
  readonly sessions: Use;
  /** Streams of `subscriptions/listen`. */
  readonly listeners: Use;
  /** Open event streams of any kind. */
  readonly streams: number;
  /** Requests that run. */
  readonly running: number;
  /** Bytes of what clients make the server keep, as it estimates them. */
  readonly memoryBytes: Use;
  /** Whether the server is about to end. */
  readonly isDraining: boolean;
  /** Whether tokens can be checked now, as far as that was tried. */
  readonly canCheckTokens: boolean;
  /** Absent if the process is alone. */
  readonly relay?: RelayFigures;
}
