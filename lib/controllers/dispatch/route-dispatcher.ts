import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import type { McpContext } from '../../server/context/mcp-context.interface.js';
import { attachCallAuth } from '../../server/auth/call-auth.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { RouteGuard, Target } from './route.guard.js';
import { CollectedResponse, RouteRequest, type RequestParts } from './route-request.js';
import { selectCallerHeaders } from './caller-headers.js';

/** A request to a route, before anything is added from the caller's own request. */
export interface RoutedRequest extends RequestParts {
  readonly target: Target;
  /** The headers that are not copied from the caller's request, because they are arguments. */
  readonly argumentHeaders: readonly string[];
}

/** A route's response. */
export interface RoutedResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** Whether the route itself was reached, rather than only what runs before it. */
  readonly isReached: boolean;
  readonly location?: string | undefined;
}

/** Thrown if a response is larger than `maxResponseBytes`. */
class ResponseSizeError extends Error {
  override readonly name = 'ResponseSizeError';
}

/** The request of a caller, as the adapter has it. One that another process forwards has no connection. */
interface CallerRequest {
  readonly socket?: object | null;
}

interface RequestServer {
  emit(event: 'request', request: RouteRequest, response: ServerResponse): boolean;
}

/**
 * Sends requests to the application's own HTTP server without a connection. They are handled like any other request, so
 * everything that protects a route applies.
 */
export class RouteDispatcher {
  #ready: Promise<unknown> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly guard: RouteGuard,
    private readonly maxResponseBytes: number,
  ) {}

  /**
   * Resolves to the route's response.
   *
   * @throws {ResponseSizeError} if the response is too large
   */
  async send(
    { target, argumentHeaders, ...parts }: RoutedRequest,
    context: McpContext,
  ): Promise<RoutedResponse> {
    await (this.#ready ??= this.#prepare());
    const { socket }: CallerRequest = Object(context.http?.request);
    const inherited = selectCallerHeaders(context.http?.headers ?? {});
    for (const name of argumentHeaders) delete inherited[name];
    if ('host' in parts.headers) delete inherited['x-forwarded-host'];
    const headers = { ...inherited, ...parts.headers };
    const request = new RouteRequest({ ...parts, headers }, socket);
    const collected = new CollectedResponse(request, this.maxResponseBytes);
    const { response } = collected;
    this.guard.expect(request, target);
    attachCallAuth(request, context.auth);
    await this.#exchange(request, collected, context.signal);
    return {
      status: response.statusCode,
      contentType: collected.findHeader('content-type') ?? '',
      body: collected.body,
      isReached: this.guard.hasReached(request),
      location: collected.findHeader('location'),
    };
  }

  /** Fastify routes requests once all its plugins are loaded. */
  async #prepare(): Promise<void> {
    const instance: unknown = this.host.httpAdapter.getInstance();
    const ready: unknown = isReady(instance) ? instance.ready() : undefined;
    await ready;
  }

  async #exchange(request: RouteRequest, collected: CollectedResponse, signal: AbortSignal): Promise<void> {
    const { response } = collected;
    signal.throwIfAborted();
    const leave = () => {
      request.destroy();
      request.socket.destroy();
    };
    signal.addEventListener('abort', leave, { once: true });
    try {
      const ended = Promise.race([once(response, 'finish'), once(response, 'close')]);
      (this.host.httpAdapter.getHttpServer() as RequestServer).emit('request', request, response);
      await ended;
    } finally {
      signal.removeEventListener('abort', leave);
    }
    signal.throwIfAborted();
    if (collected.isTooLarge) {
      throw new ResponseSizeError(
        `The response to "${request.method} ${request.url}" exceeds "maxResponseBytes", which is ${this.maxResponseBytes}`,
      );
    }
    if (!response.writableFinished) throw new Error(`The route "${request.url}" closed the connection`);
    endExchange(request);
  }
}

/** Closes both sides, as Node does after a response. */
function endExchange(request: RouteRequest): void {
  if (request.readableEnded) {
    request.destroy();
  } else {
    request.once('end', () => request.destroy());
    request.resume();
  }
  request.socket.destroy();
}

function isReady(instance: unknown): instance is { ready(): PromiseLike<unknown> } {
  return isObject(instance) && typeof instance['ready'] === 'function';
}
