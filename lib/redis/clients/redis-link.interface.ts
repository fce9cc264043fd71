import type { LinkFailure } from './link-failure.js';

/** A connection to Redis, whichever client it is of. */
export interface RedisLink {
  /** Whether a command that is sent now goes to Redis at once, instead of waiting in the client for a connection. */
  readonly isReady: boolean;
  /** Whether the client was not connected yet, or is closed for good. */
  readonly isClosed: boolean;
  /** Why the connection failed last. It is known only after {@link keepFailures}, and absent once the connection is there. */
  readonly failure: LinkFailure | undefined;
  /** Keeps from now on why the connection fails. Returns a function that ends this. */
  keepFailures(): () => void;
  /** Sends a command, which begins with its name, to the node that has a key. */
  send(key: string, command: readonly string[]): Promise<unknown>;
  /** Makes another connection, which connects by itself, and is closed for good once it fails. */
  duplicate(): RedisLink;
  /** Calls a listener for each change of the connection. Returns a function that ends this. */
  onChange(tell: () => void): () => void;
  /** Closes a connection that {@link duplicate} made. */
  close(): void;
}
