import type { DuplexConnection } from '../duplex/duplex-connection.js';
import type { DuplexCaller } from '../duplex/duplex-parts.interface.js';
import type { WriteMessage } from '../duplex/duplex-reply.js';

/** A JSON-RPC message, as the clients of any library write it. */
export type ClientMessage = object;

/** The server's end of a transport. */
export interface ServerEnd {
  /** Connects the client. */
  open(write: WriteMessage): DuplexConnection;
  /** Is called when the connection is over. */
  closed(): void;
}

/**
 * Connects an official client to a server in the same process, as a transport. Each message is written as JSON and
 * parsed again, as on any other transport.
 *
 * @example
 * const client = new Client({ name: 'test', version: '1.0.0' });
 * await client.connect(await connector.connect());
 */
export class InMemoryTransport {
  /** Is called with each message of the server. */
  onmessage?(message: ClientMessage): void;
  /** Is called when the connection is over. */
  onclose?: () => void;
  /** Is called when a message could not be handled. */
  onerror?: (error: Error) => void;
  #connection: DuplexConnection | undefined;

  constructor(
    private readonly server: ServerEnd,
    private readonly caller: DuplexCaller,
  ) {}

  /** Opens the connection. */
  start(): Promise<void> {
    this.#connection ??= this.server.open(({ json }) => this.#deliver(json));
    return Promise.resolve();
  }

  /**
   * Sends a message to the server.
   *
   * @throws {TypeError} if the connection is not open, or the message cannot be written as JSON
   */
  send(message: ClientMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#connection === undefined) throw new TypeError('The connection is not open');
      this.#connection.receiveText(JSON.stringify(message), this.caller);
      resolve();
    });
  }

  /** Ends the connection, and cancels its running calls. */
  close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return Promise.resolve();
    connection.close('The client is gone');
    this.server.closed();
    this.onclose?.();
    return Promise.resolve();
  }

  /** As on a real wire, the other end never runs within the sender's own call. */
  #deliver(json: string): void {
    queueMicrotask(() => {
      if (this.#connection !== undefined) this.onmessage?.(JSON.parse(json) as ClientMessage);
    });
  }
}
