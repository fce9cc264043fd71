import type { Client } from '@modelcontextprotocol/client';
import type { McpClientClosedError } from '../errors.js';
import type { Connection } from './connection.js';

/** Work that needs a connection. */
export type ConnectedWork<Result> = (client: Client, connection: Connection) => Promise<Result>;

/** How work is done. */
export interface WorkOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether doing it twice is the same as doing it once. @default false */
  readonly isRepeatable?: boolean;
  /** How long to wait, in all, for a server that limits requests. @default the client's `limitWaitMs` */
  readonly limitWaitMs?: number | undefined;
}

/** A link, as leased work sees it. It stays until the work is over, unless it is closed for good. */
export interface HeldLink {
  use<Result>(work: ConnectedWork<Result>, options?: WorkOptions): Promise<Result>;
  /** Calls a function with the reason when the link is closed, or at once if it is closed. Returns a function that removes the listener. */
  onClosed(listener: (reason: McpClientClosedError) => void): () => void;
}
