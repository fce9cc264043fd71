import { ErrorCode } from '../../../core/protocol/error-codes.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { parseAccept } from '../../../core/protocol/headers/http-headers.js';
import type { Authentication } from '../../context/authentication.js';
import type { EndpointPath } from '../http/endpoint-path.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { refuseMethod } from '../http/refusals.js';
import { describeRequest } from '../http/handlers/requests.js';
import type { Uploads } from '../http/bodies/uploads.js';
import type { DuplexConnection } from '../duplex/duplex-connection.js';
import type { DuplexCaller } from '../duplex/duplex-parts.js';
import { isReturning, type PostForwarding, selectAssumedRevision } from './post-forwarding.js';
import type { SseConnections } from './sse-connections.js';

/** Serves the HTTP+SSE transport: one stream for all messages to the client, and a POST endpoint. */
export class SseHandler {
  constructor(
    private readonly connections: SseConnections,
    private readonly endpoint: EndpointPath,
    private readonly uploads: Uploads,
    private readonly forwarding: PostForwarding,
  ) {}

  /**
   * Handles one request to this transport's path.
   *
   * @throws {McpError} if it is rejected
   * @see MCP 2024-11-05 basic/transports, "HTTP with SSE"
   */
  handle(exchange: HttpExchange): void | Promise<void> {
    const id = findStreamId(exchange);
    if (exchange.raw.method === 'GET') return this.#open(exchange);
    // A client that tries Streamable HTTP first falls back to opening a stream.
    if (exchange.raw.method === 'POST' && id !== null) {
      return this.forwarding.findOwner(id) === undefined
        ? this.#receive(exchange, id)
        : this.#forward(exchange, id);
    }
    const allowed = this.endpoint.listMethods(exchange.raw.url ?? '');
    return refuseMethod(exchange, allowed, this.#explain(exchange.raw.method));
  }

  /** Clients that use another method assume that this is the Streamable HTTP endpoint. */
  #explain(method = ''): string {
    const place = `streamable HTTP is at "${this.endpoint.address}"`;
    return method === 'DELETE'
      ? `an HTTP+SSE session ends when its stream is closed; ${place}`
      : `a GET opens the HTTP+SSE stream, whose first event contains the URL to post to; ${place}`;
  }

  #open(exchange: HttpExchange): void {
    if (!parseAccept(exchange.headers.accept).eventStream) {
      throw McpError.invalidRequest('"Accept" must allow text/event-stream', 406);
    }
    const returning = isReturning(exchange) ? this.#buildCaller(exchange) : undefined;
    this.connections.open(exchange, this.endpoint.publicSsePath, returning);
  }

  async #receive(exchange: HttpExchange, id: string): Promise<void> {
    const { authentication, authState } = exchange;
    this.#get(id, authentication);
    const stored = this.connections.findMemory(id);
    const message = await this.uploads.readJson(exchange, stored);
    // The stream may have ended while a slow body arrived.
    const connection = this.#get(id, authentication);
    const span = authState?.span;
    const receive = (): void => connection.receive(message, this.#buildCaller(exchange));
    if (span === undefined) receive();
    else span.run(receive);
    exchange.sendEmpty(202);
  }

  async #forward(exchange: HttpExchange, id: string): Promise<void> {
    const message = await this.uploads.readJson(exchange);
    if (!(await this.forwarding.forward(exchange, id, message))) throw createUnknownError();
    exchange.sendEmpty(202);
  }

  /** Clients reopen a lost stream, and most continue without initializing. */
  #buildCaller(exchange: HttpExchange): DuplexCaller {
    const { authentication, authState } = exchange;
    return {
      authentication,
      address: authentication === undefined ? exchange.address : undefined,
      assumed: selectAssumedRevision(exchange),
      http: exchange,
      onRequest: (request) => {
        if (authState?.span !== undefined) describeRequest(authState.span, request);
      },
    };
  }

  #get(id: string, authentication: Authentication | undefined): DuplexConnection {
    const connection = this.connections.find(id, authentication);
    if (connection !== undefined) return connection;
    throw createUnknownError();
  }
}

function createUnknownError(): McpError {
  const text = 'Session not found: open the stream again';
  return new McpError(ErrorCode.InvalidRequest, text, undefined, 404);
}

function findStreamId({ raw }: HttpExchange): string | null {
  const [, query = ''] = (raw.url ?? '').split('?');
  return new URLSearchParams(query).get('sessionId');
}
