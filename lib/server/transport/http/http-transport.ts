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

/** What answers requests, by their HTTP method. */
interface HttpHandlers {
  readonly posts: PostHandler;
  readonly gets: GetHandler;
  readonly deletes: DeleteHandler;
  /** Answers those of HTTP+SSE. */
  readonly events: SseHandler;
}

/** What checks callers of the endpoint, and refuses them. */
interface EndpointAccess {
  readonly check: EndpointCheck;
  readonly challenges: Challenges;
  readonly proxies: ProxyWarning;
}

/** Takes requests from the controller to the handler of their HTTP method, and answers what goes wrong on the way. */
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
   * Answers a request once the guard has checked it, which Nest may have called already.
   *
   * @throws {Error} an error of the guard that is not a refusal, thrown or as a rejection
   */
  handleChecked(request: AdapterRequest, response: AdapterResponse): Promise<void> {
    const exchange = this.#enter(request, response);
    const checking = exchange && this.access.check.check(request, response, exchange);
    if (checking === undefined) return this.#handle(exchange, response);
    return checking.then(() => this.#handle(exchange, response));
  }

  /** Answers a request that is nothing to the guard; it never rejects. */
  handle(request: AdapterRequest, response: AdapterResponse): Promise<void> {
    return this.#handle(this.#enter(request, response), response);
  }

  /**
   * Answers a request. For Nest, the request is over with the answer, or as soon as there is an event stream. Nest's
   * interceptors may have had enough of waiting, but nobody except us may end a stream.
   */
  #handle(exchange: HttpExchange | undefined, response: AdapterResponse): Promise<void> {
    if (exchange !== undefined) {
      exchange.isServed = true;
      this.edge.shareAnswer(exchange.headers, getRawResponse(response));
    }
    return new Promise((resolve) => {
      const release = (): void => {
        response.hijack?.();
        // Interceptors come after the answer; what they set would throw, and end the connection.
        const raw = response.raw ?? (response as ServerResponse);
        if (this.controllerRoute.hasInterceptors && raw.writableEnded) ignoreFurtherWrites(raw);
        resolve();
      };
      if (exchange === undefined || exchange.isAnswered) return release();
      exchange.onStream(release);
      this.#answer(exchange, release);
    });
  }

  /** Answers a request, and tells when that is done. */
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

  /** Takes in a request that came around the edge, by a URL that the application has changed. */
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

  /** What the guard has not seen does not pass, however it came here. Which methods there are is told to everybody. */
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
