import { PipeConnection } from './pipe-connection.js';
import type { PipeHearing, PipeServer } from './pipe-parts.interface.js';
import type { CountUnread, WriteMessage } from './pipe-reply.js';

/** Connects clients to a server by pipes of any kind. */
export class PipeConnections {
  constructor(private readonly server: PipeServer) {}

  /**
   * Connects a client: what is sent to it goes to a function.
   *
   * @param countUnread counts what waits for the client; nothing does by default
   * @param hearing hears what becomes of it
   */
  open(write: WriteMessage, countUnread: CountUnread = () => 0, hearing: PipeHearing = {}): PipeConnection {
    return new PipeConnection(this.server, { write, countUnread, ...hearing });
  }
}
