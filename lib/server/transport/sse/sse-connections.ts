import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Subscription } from 'rxjs';
import { McpError } from '../../../core/protocol/mcp.error.js';
import type { Authentication } from '../../context/authentication.interface.js';
import { IdentityCounts } from '../../sessions/identity-counts.js';
import { SessionLimitError } from '../../sessions/session-limit.error.js';
import { SessionRegistry } from '../../sessions/session-registry.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { EventStreams } from '../http/streams/event-streams.js';
import type { HttpExchange } from '../http/http-exchange.js';
import type { PipeConnection } from '../pipe/pipe-connection.js';
import { PipeConnections } from '../pipe/pipe-connections.js';
import type { WriteMessage } from '../pipe/pipe-reply.js';
import { SseStream } from './sse-stream.js';

/** The open streams of the 2024-11-05 transport: each carries whatever the server sends to one client. */
@Injectable()
export class SseConnections {
  readonly #open = new Map<string, SseStream>();
  readonly #counts = new IdentityCounts();

  constructor(
    private readonly pipes: PipeConnections,
    private readonly streams: EventStreams,
    private readonly sessions: SessionRegistry,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Opens the stream of a client and tells it where to post.
   *
   * @param path where the client posts, without the id of its stream
   * @throws {SessionLimitError} where the server, or this caller, has as many as there may be
   * @throws {McpError} with HTTP status 503 where the server shuts down
   */
  open(exchange: HttpExchange, path: string): void {
    const { authentication } = exchange;
    if (this.streams.isClosed) throw McpError.shuttingDown(503);
    this.#assertRoom(authentication?.identity);
    const id = randomUUID();
    const writer = this.streams.begin(exchange.beginStream(), new Subscription(() => this.#close(id)));
    if (!writer.isOpen) return;
    const write: WriteMessage = (message) => writer.writeMessage(message.json);
    const pipe = this.pipes.open(write, () => writer.unread);
    const stream = new SseStream(pipe, writer, this.streams);
    this.#open.set(id, stream);
    this.#renew(stream, authentication);
    writer.writeEndpoint(`${path}?sessionId=${id}`);
  }

  /** Finds what a stream carries by its id, for its own client alone. */
  find(id: string, authentication: Authentication | undefined): PipeConnection | undefined {
    const stream = this.#open.get(id);
    if (stream === undefined || !this.#belongs(stream, authentication)) return undefined;
    this.#renew(stream, authentication);
    return stream.pipe;
  }

  #renew(stream: SseStream, authentication: Authentication | undefined): void {
    if (stream.identity === undefined) this.#counts.add(authentication?.identity);
    stream.renew(authentication);
  }

  /** A stream that was opened without a token is from then on that of the first who brings one. */
  #belongs({ identity, pipe }: SseStream, authentication: Authentication | undefined): boolean {
    if (identity !== undefined || authentication === undefined) return identity === authentication?.identity;
    return pipe.session === undefined || this.sessions.bind(pipe.session, authentication.identity);
  }

  #assertRoom(identity: string | undefined): void {
    const { maximumSessions, maximumSessionsPerIdentity } = this.settings.sessions;
    const hasEnough = this.#counts.get(identity) >= maximumSessionsPerIdentity;
    if (hasEnough || this.#open.size >= maximumSessions) throw new SessionLimitError();
  }

  #close(id: string): void {
    const stream = this.#open.get(id);
    if (stream === undefined) return;
    this.#open.delete(id);
    this.#counts.remove(stream.identity);
    stream.close();
  }
}
