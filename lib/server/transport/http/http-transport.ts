import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '../../../core/logger/logger.js';
import type { Challenges } from '../../../core/oauth/challenges.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { attachCarrier, findCarrier, type AuthState } from '../../auth/auth-state.js';
import type { EndpointCheck } from '../../auth/endpoint-check.js';
import type { ProxyWarning } from '../../auth/start-up/proxy-warning.js';
import { logIncident } from '../../log/log-failure.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { SseHandler } from '../sse/sse.handler.js';
import { type AdapterRequest, type AdapterResponse, HttpExchange, getRawResponse } from './http-exchange.js';
import type { DeleteHandler } from './handlers/delete.handler.js';
import type { GetHandler } from './handlers/get.handler.js';
import type { EndpointPath } from './endpoint-path.js';
import type { ControllerRoute } from './edge/controller-route.js';
import type { HttpEdge } from './edge/http-edge.js';
import { refuseAccess, refuseMethod } from './refusals.js';
import type { PostHandler } from './handlers/post.handler.js';
import { RequestAbortedError } from './bodies/request-body.js';
import { ignoreFurtherWrites } from './streams/event-stream-writer.js';

/** Request handlers by HTTP method. */
interface HttpHandlers {
  readonly posts: PostHandler;
  readonly gets: GetHandler;
  readonly deletes: DeleteHandler;
  /** Handles requests of HTTP+SSE. */
  readonly events: SseHandler;
}

/** Checks and rejects the endpoint's callers. */
interface EndpointAccess {
  readonly check: EndpointCheck;
  readonly challenges: Challenges;
  readonly proxies: ProxyWarning;
}

/** Routes requests from the controller to their HTTP method's handler, and sends errors. */
export class HttpTransport {
  readonly #logger = new Logger('McpHttpTransport');

  constructor(
    private readonly edge: HttpEdge,
    private readonly handlers: HttpHandlers,
    private readonly endpoint: EndpointPath,
    private readonly access: EndpointAccess,
    private readonly controllerRoute: ControllerRoute,
    private readonly settings: ServerSettings,
  ) {}

  /**
   * Handles a request after the guard, which Nest may have run already.
   *
   * @throws {Error} if the guard fails with anything other than a refusal; synchronously or as a rejection
   */
  handleChecked(request: AdapterRequest, response: AdapterResponse): Promise<void> {
    const exchange = this.#enter(request, response);
    const checking = exchange && this.access.check.check(request, response, exchange);
    if (checking === undefined) return this.#handle(exchange, response);
    return checking.then(() => this.#handle(exchange, response));
  }

  /** Handles a request that needs no guard; never rejects. */
  handle(request: AdapterRequest, response: AdapterResponse): Promise<void> {
    return this.#handle(this.#enter(request, response), response);
  }

  /**
   * Handles a request. For Nest, it ends with the response, or once there is an event stream, which Nest
   * interceptors' timeouts must not end.
   */
  #handle(exchange: HttpExchange | undefined, response: AdapterResponse): Promise<void> {
    if (exchange !== undefined) {
      exchange.isServed = true;
      this.edge.shareAnswer(exchange.headers, getRawResponse(response));
    }
    return new Promise((resolve) => {
      const release = (): void => {
        response.hijack?.();
        // Interceptors run after the response. Setting headers there would throw and end the connection.
        const raw = response.raw ?? (response as ServerResponse);
        if (this.controllerRoute.hasInterceptors && raw.writableEnded) ignoreFurtherWrites(raw);
        resolve();
      };
      if (exchange === undefined || exchange.isAnswered) return release();
      exchange.onStream(release);
      this.#answer(exchange, release);
    });
  }

  /** Routes a request, and calls `release` afterwards. */
  #answer(exchange: HttpExchange, release: () => void): void {
    const fail = (error: unknown): void => {
      this.#answerFailure(exchange, error);
      release();
    };
    try {
      const answering = this.#route(exchange);
      if (answering !== undefined) return void answering.then(release, fail);
    } catch (error) {
      return fail(error);
    }
    release();
  }

  #enter(request: AdapterRequest, response: AdapterResponse): HttpExchange | undefined {
    const rawRequest = request.raw ?? (request as IncomingMessage);
    const exchange = HttpExchange.find(rawRequest) ?? this.#admit(rawRequest, getRawResponse(response));
    exchange?.enter(request);
    return exchange;
  }

  /** Admits a request that bypassed the edge because the application has rewritten its URL. */
  #admit(request: IncomingMessage, response: ServerResponse): HttpExchange | undefined {
    const exchange = this.edge.admit(request, response);
    if (exchange === undefined) return undefined;
    exchange.authState = findCarrier(request)?.authState;
    attachCarrier(request, exchange);
    return exchange;
  }

  #route(exchange: HttpExchange): void | Promise<void> {
    const refusal = this.#findRefusal(exchange);
    if (refusal !== undefined) return this.#refuse(exchange, refusal);
    if (this.endpoint.isSse(exchange.raw.url ?? '')) return this.handlers.events.handle(exchange);
    switch (exchange.raw.method) {
      case 'POST':
        return this.handlers.posts.handle(exchange);
      case 'GET':
        return this.handlers.gets.handle(exchange);
      case 'DELETE':
        return this.handlers.deletes.handle(exchange);
      default:
        return refuseMethod(exchange, this.endpoint.listMethods(exchange.raw.url ?? ''));
    }
  }

  #refuse(exchange: HttpExchange, refusal: NonNullable<AuthState['refusal']>): void {
    this.access.proxies.check(exchange.headers);
    refuseAccess(exchange, refusal);
  }

  /** Rejects requests that the guard has not seen. `OPTIONS` is public. */
  #findRefusal({ raw, authState }: HttpExchange): AuthState['refusal'] {
    if (this.settings.auth === undefined || raw.method === 'OPTIONS') return undefined;
    return authState === undefined ? this.access.challenges.missingToken() : authState.refusal;
  }

  #answerFailure(exchange: HttpExchange, error: unknown): void {
    if (error instanceof RequestAbortedError) return;
    if (error instanceof McpError) return exchange.refuse(error);
    const incident = logIncident(this.#logger, error, {
      authentication: exchange.authentication,
      http: exchange,
    });
    const { code, message } = McpError.internal(incident);
    exchange.refuse(new McpError(code, message, undefined, 500), undefined, undefined, incident);
  }
}
