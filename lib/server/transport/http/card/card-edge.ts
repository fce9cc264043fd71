import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost, type AbstractHttpAdapter } from '@nestjs/core';
import { putEdge } from '../edge/edges.js';
import { answerFirst } from '../edge/first-hook.js';
import { routeTrailingSlashes } from '../edge/trailing-slash-routes.js';
import { openToAll } from '../metadata/open-to-all.js';
import { CardRoutes } from './card-routes.js';

const ALLOWED_METHODS = 'GET, HEAD';
const ALLOWED_HEADERS = 'Content-Type, If-None-Match, *';
const MAXIMUM_AGE_SECONDS = 86_400;

/** Answers preflights for cards before the application's own CORS, which has other origins in mind. */
@Injectable()
export class CardEdge {
  constructor(
    private readonly routes: CardRoutes,
    host: HttpAdapterHost,
  ) {
    if (!routes.areServed) return;
    host.init$.subscribe(() => this.#standBefore(host.httpAdapter));
  }

  /** An application context, such as that of a command or a worker, has no adapter. */
  #standBefore(adapter: AbstractHttpAdapter | null): void {
    if (adapter === null) return;
    putEdge(adapter, (request, response, next) => {
      if (!this.#answers(request, response)) next();
    });
    routeTrailingSlashes(adapter, (path) => this.routes.serves(path));
    answerFirst(adapter, (request, response) => this.#answers(request, response));
  }

  #answers({ method, url = '' }: IncomingMessage, response: ServerResponse): boolean {
    if (method !== 'OPTIONS' || !this.routes.matches(url)) return false;
    openToAll(response);
    response.writeHead(204, {
      'Access-Control-Allow-Methods': ALLOWED_METHODS,
      'Access-Control-Allow-Headers': ALLOWED_HEADERS,
      'Access-Control-Max-Age': MAXIMUM_AGE_SECONDS,
      Allow: `${ALLOWED_METHODS}, OPTIONS`,
      'Content-Length': 0,
    });
    response.end();
    return true;
  }
}
