import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { OnModuleInit } from '@nestjs/common';
import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { Logger } from '../../../../core/logger/logger.js';
import { ErrorCode } from '../../../../core/protocol/error-codes.js';
import { isMediaType, isRepeated } from '../../../../core/protocol/headers/http-headers.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { RefusalRecorder } from '../../../audit/refusal-recorder.js';
import { quoteValue } from '../../../auth/quote-value.js';
import { RefusalLog } from '../../../log/refusal-log.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import { createBodyTooLargeError, joinPieces } from '../bodies/request-body.js';
import type { EndpointPath } from '../endpoint-path.js';
import type { Explorer } from '../explorer/explorer.js';
import { HttpExchange, noteRefusal } from '../http-exchange.js';
import { refuseMethod } from '../refusals.js';
import { BodyParsers, createForExpress, DirectRoute, type Middleware, useEdge } from './express-edge.js';
import { CrossOrigin, exposeHeaders, type OriginFault, OriginPolicy } from './origin-policy.js';
import { handleFirst, routeTrailingSlashes, handleBeforeMiddleware } from './fastify-edge.js';
import { answerPreflight } from './document-routes.js';

const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE', 'OPTIONS']);

/**
 * Stands before everything else that the application does with a request. On the server's own path it answers preflights and
 * refuses what no later step needs to see, before any body parser touches the request.
 */
export class HttpEdge implements OnModuleInit {
  readonly #policy: OriginPolicy;
  readonly #crossOrigin: CrossOrigin | undefined;
  readonly #takesDpop: boolean;
  readonly #onRefused: HttpExchange['onRefused'] = (refusal) => this.refusals.record(refusal);
  readonly #logger = new Logger('McpHttpTransport');
  /** One for each header, so that a client with invented values for one cannot hide faults of another. */
  readonly #logs = new Map<string, RefusalLog>();

  constructor(
    private readonly settings: ServerSettings,
    private readonly endpoint: EndpointPath,
    private readonly host: HttpAdapterHost,
    private readonly refusals: RefusalRecorder,
    private readonly explorer: Explorer,
  ) {
    this.#policy = new OriginPolicy(settings);
    this.#takesDpop = settings.auth?.dpop !== undefined;
    this.#crossOrigin = settings.cors && new CrossOrigin(settings.cors, this.#takesDpop);
    // The adapter is there as soon as the application is created, which is before its body parsers are registered.
    host.init$.subscribe(() => this.#standBefore(host.httpAdapter));
  }

  async onModuleInit(): Promise<void> {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'express') return;
    createForExpress(httpAdapter);
    await BodyParsers.watch(httpAdapter).recognize();
  }

  /**
   * Accepts a request, or answers it and returns `undefined`.
   *
   * @param routed the adapter's own request, if it has one already
   * @see MCP basic/transports
   */
  admit(request: IncomingMessage, response: ServerResponse, routed?: object): HttpExchange | undefined {
    const exchange = new HttpExchange(request, response, this.settings.limits.transferTimeoutMs, routed);
    exchange.onRefused = this.#onRefused;
    if (this.refusals.isAudited) exchange.startedAt = performance.now();
    if (isRepeated(request.rawHeaders, 'host')) return this.#refuseHosts(exchange);
    const fault = this.#policy.findFault(request);
    if (fault !== undefined) return this.#refuse(exchange, fault);
    this.#crossOrigin?.allow(request.headers.origin, response);
    if (!METHODS.has(request.method ?? '')) {
      return refuseMethod(exchange, this.endpoint.listMethods(request.url ?? ''));
    }
    const isSending = request.method === 'POST' && !isBare(request);
    const error = isSending ? this.#findBodyFault(request) : undefined;
    return error === undefined ? exchange : refuse(exchange, error);
  }

  /** Settles what pages of other origins may read of an answer, if the application has its say too. */
  shareAnswer({ origin }: IncomingHttpHeaders, response: ServerResponse): void {
    if (origin === undefined || response.headersSent) return;
    this.#crossOrigin?.override(origin, response);
    exposeHeaders(response, this.#takesDpop);
  }

  /** An application context, such as that of a command or a worker, has no adapter. */
  #standBefore(adapter: AbstractHttpAdapter | null): void {
    if (adapter === null) return;
    if (adapter.getType() === 'fastify') handleBeforeMiddleware(adapter, this.#passes, watchForeignAnswer);
    else this.#putMiddleware(adapter);
    routeTrailingSlashes(adapter, (path) => this.endpoint.paths.includes(path));
    handleFirst(
      adapter,
      (request, response) => this.#precedesApplication(request) && !this.#passes(request, response),
    );
  }

  /** Tells whether the application's own CORS must not see a request: it would answer pages that are not to know. */
  #precedesApplication(request: IncomingMessage): boolean {
    const { origin } = request.headers;
    if (origin === undefined || !this.endpoint.matches(request.url ?? '')) return false;
    return this.#crossOrigin?.isPreflight(request) === true || !this.#policy.allowsOrigin(origin);
  }

  #putMiddleware(adapter: AbstractHttpAdapter): void {
    const edge: Middleware = (request, response, next) => {
      if (!this.#passes(request, response)) return;
      if (direct?.handle(request, response, next) !== true) next();
      watchForeignAnswer(request);
    };
    const direct =
      adapter.getType() === 'express'
        ? new DirectRoute(adapter, edge, this.endpoint, BodyParsers.watch(adapter))
        : undefined;
    useEdge(adapter, edge);
  }

  /** Tells whether anybody else is to see a request; it is answered if not. */
  readonly #passes = (request: IncomingMessage, response: ServerResponse, routed?: object): boolean => {
    if (!this.endpoint.matches(request.url ?? '')) {
      return !answerPreflight(this.host.httpAdapter, request, response);
    }
    // Node hands over what it has read of a connection though that was closed meanwhile.
    if (response.socket === null && request.socket.destroyed) return false;
    joinPieces(request);
    if (this.explorer.handle(request, response)) return false;
    const exchange = this.admit(request, response, routed);
    if (exchange === undefined) return false;
    if (this.#crossOrigin?.isPreflight(request) === true) {
      const methods = this.endpoint.listMethods(request.url ?? '');
      this.#crossOrigin.answerPreflight(request, response, methods);
      return false;
    }
    exchange.attach();
    return true;
  };

  /** Which of them counts is a matter of taste among servers and proxies (RFC 9112 §3.2). */
  #refuseHosts(exchange: HttpExchange): undefined {
    const line = 'A request with several "Host" headers was refused: see which client or proxy adds one';
    this.#tell('Host', line, exchange);
    return refuse(exchange, McpError.invalidRequest('"Host" must be there once', 400));
  }

  #refuse(exchange: HttpExchange, { text, header, value }: OriginFault): undefined {
    this.#tell(header, `A request with ${quoteValue(value)} as "${header}" was refused: ${text}`, exchange);
    return refuse(exchange, McpError.invalidRequest(text, 403));
  }

  #tell(header: string, line: string, http: HttpExchange): void {
    const log = this.#logs.get(header) ?? new RefusalLog(this.#logger);
    this.#logs.set(header, log);
    log.warn(line, { http });
  }

  #findBodyFault({ headers }: IncomingMessage): McpError | undefined {
    const { contentTypes, bodyBytes } = this.settings.limits;
    if (!isMediaType(headers['content-type'], contentTypes)) {
      return McpError.invalidRequest(`"Content-Type" must be ${contentTypes.join(' or ')}`, 415);
    }
    if (headers['content-encoding'] !== undefined) {
      return McpError.invalidRequest('"Content-Encoding" is not supported', 415);
    }
    const length = Number(headers['content-length'] ?? 0);
    return length > bodyBytes ? createBodyTooLargeError(bodyBytes) : undefined;
  }
}

/** Tells whether there is neither a body nor a type of one. Whoever looks for a login this way is asked for a token. */
function isBare({ headers, httpVersionMajor }: IncomingMessage): boolean {
  const length = headers['content-length'] ?? (httpVersionMajor === 1 ? '0' : undefined);
  return (
    length === '0' && headers['transfer-encoding'] === undefined && headers['content-type'] === undefined
  );
}

function refuse(exchange: HttpExchange, error: McpError): undefined {
  exchange.refuse(error);
  return undefined;
}

/**
 * Takes note if something else of the application refuses a request to the endpoint, such as a guard or a middleware. Most requests are
 * with the transport already when they have been passed on: those need not be watched.
 */
function watchForeignAnswer(request: IncomingMessage): void {
  const exchange = HttpExchange.find(request);
  if (exchange?.startedAt === undefined || exchange.isServed) return;
  const { response } = exchange;
  response.once('close', () => {
    const { statusCode: status, headersSent } = response;
    if (exchange.isServed || !headersSent || status < 400) return;
    const error = { code: ErrorCode.InvalidRequest, message: response.statusMessage };
    // What was sent is nobody's to take back.
    void noteRefusal(exchange, { status, error });
  });
}
