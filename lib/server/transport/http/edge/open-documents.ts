import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import { openToAll } from '../metadata/open-to-all.js';
import type { DocumentRoutes } from './document-routes.js';
import { answerFirst } from './first-hook.js';
import { routeTrailingSlashes } from './trailing-slash-routes.js';

/** Documents of a server that pages of every origin may read. */
interface OpenDocuments {
  readonly routes: Pick<DocumentRoutes<string>, 'areServed' | 'serves' | 'matches'>;
  /** The headers that pages may send for them. */
  readonly allowedHeaders: string;
}

const ALLOWED_METHODS = 'GET, HEAD';
const MAXIMUM_AGE_SECONDS = 86_400;

const known = new WeakMap<AbstractHttpAdapter, OpenDocuments[]>();

/**
 * Has preflights for documents answered before the application's own CORS, which has other origins in mind. On Express the middleware of
 * the endpoint does that: one more would be asked about each call.
 */
export function openDocuments(host: HttpAdapterHost, documents: OpenDocuments): void {
  const { routes } = documents;
  if (!routes.areServed) return;
  host.init$.subscribe(() => {
    // An application context, such as that of a command or a worker, has no adapter.
    const adapter: AbstractHttpAdapter | null = host.httpAdapter;
    if (adapter === null) return;
    routeTrailingSlashes(adapter, (path) => routes.serves(path));
    const present = known.get(adapter);
    if (present !== undefined) {
      present.push(documents);
      return;
    }
    known.set(adapter, [documents]);
    answerFirst(adapter, (request, response) => answerPreflight(adapter, request, response));
  });
}

/** Answers a preflight for a document, and tells whether it did. */
export function answerPreflight(
  adapter: AbstractHttpAdapter,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (method !== 'OPTIONS') return false;
  const documents = known.get(adapter)?.find(({ routes }) => routes.matches(url));
  if (documents === undefined) return false;
  openToAll(response);
  response.writeHead(204, {
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    'Access-Control-Allow-Headers': documents.allowedHeaders,
    'Access-Control-Max-Age': MAXIMUM_AGE_SECONDS,
    Allow: `${ALLOWED_METHODS}, OPTIONS`,
    'Content-Length': 0,
  });
  response.end();
  return true;
}
