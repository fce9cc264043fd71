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
import { CrossOrigin, exposeHeaders, type OriginProblem, OriginPolicy } from './origin-policy.js';
import { handleFirst, routeTrailingSlashes, handleBeforeMiddleware } from './fastify-edge.js';
import { answerPreflight } from './document-routes.js';

const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE', 'OPTIONS']);

/**
 * Runs before everything else in the application. On the server's paths it handles preflights and rejects requests that no
 * later step needs to see, before a body parser reads them.
 */
export class HttpEdge implements OnModuleInit {
  readonly #policy: OriginPolicy;
  readonly #crossOrigin: CrossOrigin | undefined;
  readonly #takesDpop: boolean;
  readonly #onRefused: HttpExchange['onRefused'] = (refusal) => this.refusals.record(refusal);
  readonly #logger = new Logger('McpHttpTransport');
  /** One per header, so that made-up values for one header cannot hide problems with another. */
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
    // The adapter exists as soon as the application is created, before its body parsers are registered.
    host.init$.subscribe(() => this.#standBefore(host.httpAdapter));
  }

  async onModuleInit(): Promise<void> {
    const { httpAdapter } = this.host;
    if (httpAdapter?.getType() !== 'express') return;
    createForExpress(httpAdapter);
    await BodyParsers.watch(httpAdapter).recognize();
  }

  /**
   * Accepts a request, or responds to it and returns `undefined`.
   *
   * @param routed the adapter's request, if there is one
   * @see MCP basic/transports
   */
  admit(request: IncomingMessage, response: ServerResponse, routed?: object): HttpExchange | undefined {
    const exchange = new HttpExchange(request, response, this.settings.limits.transferTimeoutMs, routed);
    exchange.onRefused = this.#onRefused;
    if (this.refusals.isAudited) exchange.startedAt = performance.now();
    if (isRepeated(request.rawHeaders, 'host')) return this.#refuseHosts(exchange);
    const problem = this.#policy.findProblem(request);
    if (problem !== undefined) return this.#refuse(exchange, problem);
    this.#crossOrigin?.allow(request.headers.origin, response);
    if (!METHODS.has(request.method ?? '')) {
      return refuseMethod(exchange, this.endpoint.listMethods(request.url ?? ''));
    }
    const isSending = request.method === 'POST' && !isBare(request);
    const error = isSending ? this.#findBodyProblem(request) : undefined;
    return error === undefined ? exchange : refuse(exchange, error);
  }

  /** Applies the server's CORS headers to a response, replacing the application's. */
  shareAnswer({ origin }: IncomingHttpHeaders, response: ServerResponse): void {
    if (origin === undefined || response.headersSent) return;
    this.#crossOrigin?.override(origin, response);
    exposeHeaders(response, this.#takesDpop);
  }

  /** An application context, such as a command or a worker, has no adapter. */
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

  /** Whether the application's CORS must not see a request, because it would reveal a response to other origins. */
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

  /** Whether the application should handle a request; otherwise it has been responded to. */
  readonly #passes = (request: IncomingMessage, response: ServerResponse, routed?: object): boolean => {
    if (!this.endpoint.matches(request.url ?? '')) {
      return !answerPreflight(this.host.httpAdapter, request, response);
    }
    // Node emits requests that it parsed before the connection was closed.
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

  /** Servers and proxies disagree on which of them applies (RFC 9112 §3.2). */
  #refuseHosts(exchange: HttpExchange): undefined {
    const line =
      'A request with several "Host" headers was rejected: find out which client or proxy adds them';
    this.#tell('Host', line, exchange);
    return refuse(exchange, McpError.invalidRequest('"Host" must be present exactly once', 400));
  }

  #refuse(exchange: HttpExchange, { text, header, value }: OriginProblem): undefined {
    this.#tell(header, `A request with ${quoteValue(value)} as "${header}" was rejected: ${text}`, exchange);
    return refuse(exchange, McpError.invalidRequest(text, 403));
  }

  #tell(header: string, line: string, http: HttpExchange): void {
    const log = this.#logs.get(header) ?? new RefusalLog(this.#logger);
    this.#logs.set(header, log);
    log.warn(line, { http });
  }

  #findBodyProblem({ headers }: IncomingMessage): McpError | undefined {
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

/** Whether a request has neither a body nor a content type. Such probes for authentication receive a challenge. */
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
 * Records refusals by other parts of the application, such as a guard or a middleware. Most requests have already
 * reached the transport and do not have to be watched.
 */
function watchForeignAnswer(request: IncomingMessage): void {
  const exchange = HttpExchange.find(request);
  if (exchange?.startedAt === undefined || exchange.isServed) return;
  const { response } = exchange;
  response.once('close', () => {
    const { statusCode: status, headersSent } = response;
    if (exchange.isServed || !headersSent || status < 400) return;
    const error = { code: ErrorCode.InvalidRequest, message: response.statusMessage };
    // The response was sent and cannot be replaced.
    void noteRefusal(exchange, { status, error });
  });
}
