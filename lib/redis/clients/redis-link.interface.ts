import type { LinkFailure } from './link-failure.js';

/** A connection to Redis by a client of any package. */
export interface RedisLink {
  /** Whether a command that is sent now goes to Redis at once, instead of waiting in the client for a connection. */
  readonly isReady: boolean;
  /** Whether the client is not connected yet, or is closed for good. */
  readonly isClosed: boolean;
  /** Why the connection failed last. Absent before {@link keepFailures}, and while there is a connection. */
  readonly failure: LinkFailure | undefined;
  /** Remembers from now on why the connection fails. Returns a function that ends this. */
  keepFailures(): () => void;
  /** Sends a command to the node that has a key. The first word is the name of the command. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Makes another connection. It connects by itself, and closes for good once it fails. */
  duplicate(): RedisLink;
  /** Calls a listener for each change of the connection. Returns a function that ends this. */
  onChange(tell: () => void): () => void;
  /** Closes a connection that {@link duplicate} made. */
  close(): void;
}
