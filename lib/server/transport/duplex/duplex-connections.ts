import { DuplexConnection } from './duplex-connection.js';
import type { DuplexEvents, DuplexServer } from './duplex-parts.interface.js';
import type { CountUnread, WriteMessage } from './duplex-reply.js';

/** Connects clients to a server by pipes of any kind. */
export class DuplexConnections {
  constructor(private readonly server: DuplexServer) {}

  /**
   * Connects a client: what is sent to it goes to a function.
   *
   * @param countUnread counts what waits for the client; nothing does by default
   * @param hearing hears what becomes of it
   */
  open(
    write: WriteMessage,
    countUnread: CountUnread = () => 0,
    hearing: DuplexEvents = {},
  ): DuplexConnection {
    return new DuplexConnection(this.server, { write, countUnread, ...hearing });
  }
}
