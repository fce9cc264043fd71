import { LoadConnection } from './load-connection.js';
import type { LoadTarget } from './load-target.js';

/** Connections to one server that end together. */
export class LoadConnections {
  readonly #all = new Set<LoadConnection>();
  #end: { readonly reason: Error | undefined } | undefined;

  constructor(private readonly target: LoadTarget) {}

  async open(): Promise<LoadConnection> {
    const connection = await LoadConnection.open(this.target);
    this.#all.add(connection);
    // A connection that opens too late would outlive all others.
    if (this.#end !== undefined) connection.destroy(this.#end.reason);
    return connection;
  }

  /** Closes all connections, including any that open later. */
  close(reason?: Error): void {
    this.#end ??= { reason };
    for (const connection of this.#all) connection.destroy(reason);
  }
}
