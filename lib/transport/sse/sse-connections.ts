import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { SessionLimitError } from '../../sessions/session-limit.error.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { EventStreams } from '../http/event-stream-writer.js';
import type { HttpExchange } from '../http/http-exchange.js';
import type { PipeConnection } from '../pipe/pipe-connection.js';
import { PipeConnections } from '../pipe/pipe-connections.js';

interface OpenStream {
  readonly pipe: PipeConnection;
  /** Whose it is. */
  readonly identity: string | undefined;
}

/** The open streams of the 2024-11-05 transport: each carries whatever the server sends to one client. */
@Injectable()
export class SseConnections {
  readonly #open = new Map<string, OpenStream>();

  constructor(
    private readonly pipes: PipeConnections,
    private readonly streams: EventStreams,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Opens the stream of a client and tells it where to post.
   *
   * @param path where the client posts, without the id of its stream
   * @throws {SessionLimitError} where there are as many as there may be
   */
  open(exchange: HttpExchange, path: string): void {
    if (this.#open.size >= this.settings.sessions.maximumSessions) throw new SessionLimitError();
    const id = randomUUID();
    const { authentication } = exchange;
    let stopClock = (): void => {};
    const writer = this.streams.begin(exchange.beginStream(), () => {
      stopClock();
      this.#close(id);
    });
    if (!writer.isOpen) return;
    const pipe = this.pipes.open((message) => writer.writeMessage(message.json));
    this.#open.set(id, { pipe, identity: authentication?.identity });
    if (authentication !== undefined) stopClock = this.streams.endWithToken(writer, authentication.claims);
    writer.writeEndpoint(`${path}?sessionId=${id}`);
  }

  /** Finds the stream of an id, for its own client alone. */
  find(id: string, identity: string | undefined): PipeConnection | undefined {
    const open = this.#open.get(id);
    return open?.identity === identity ? open?.pipe : undefined;
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    this.#open.delete(id);
    open?.pipe.close('The client closed its stream');
  }
}
