import { Inject, Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../auth/access-policy.js';
import { ErrorCode } from '../../protocol/error-codes.js';
import { McpError } from '../../protocol/mcp.error.js';
import { parseAccept } from '../../protocol/media-type.js';
import { SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { EndpointPath } from '../http/endpoint-path.js';
import type { HttpExchange } from '../http/http-exchange.js';
import { refuseMethod } from '../http/refuse-method.js';
import { SseConnections } from './sse-connections.js';

/** Serves the transport of the first revision: a stream for all answers, and requests posted beside it. */
@Injectable()
export class SseHandler {
  constructor(
    private readonly connections: SseConnections,
    private readonly endpoint: EndpointPath,
    private readonly access: AccessPolicy,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {}

  /**
   * Answers one request to the path of this transport.
   *
   * @throws {McpError} where it is refused
   * @see MCP 2024-11-05 basic/transports, "HTTP with SSE"
   */
  handle(exchange: HttpExchange): void | Promise<void> {
    const id = findStreamId(exchange);
    if (exchange.raw.method === 'GET') return this.#open(exchange);
    // A client that tries the transport of later revisions first takes this for the sign to open a stream.
    if (exchange.raw.method !== 'POST' || id === null) return refuseMethod(exchange, 'GET, POST');
    return this.#receive(exchange, id);
  }

  #open(exchange: HttpExchange): void {
    if (!parseAccept(exchange.headers.accept).eventStream) {
      throw McpError.invalidRequest('"Accept" must allow text/event-stream', 406);
    }
    this.connections.open(exchange, this.endpoint.publicSsePath);
  }

  async #receive(exchange: HttpExchange, id: string): Promise<void> {
    const { authentication } = exchange;
    const connection = this.connections.find(id, authentication?.identity);
    if (connection === undefined) {
      throw new McpError(
        ErrorCode.InvalidRequest,
        'Session not found: open the stream again',
        undefined,
        404,
      );
    }
    const value = await exchange.readJson(this.settings.limits.bodyBytes);
    connection.receive(value, {
      authentication,
      authorize: (request) => this.access.authorize(request, authentication),
    });
    exchange.sendEmpty(202);
  }
}

function findStreamId({ raw }: HttpExchange): string | null {
  const [, query = ''] = (raw.url ?? '').split('?');
  return new URLSearchParams(query).get('sessionId');
}
