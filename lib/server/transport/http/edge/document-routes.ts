import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { excludeFromPrefix, isTargetOf } from '../endpoint-path.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleFirst, routeTrailingSlashes } from './fastify-edge.js';

/** The paths of documents, by the methods of the controller that serve them. */
export type DocumentPaths<Key extends string> = Readonly<Record<Key, readonly string[]>>;

/** Gives the documents of a server their paths, once those are known, and keeps the global prefix off them. */
export abstract class DocumentRoutes<Key extends string> {
  #paths: DocumentPaths<Key> | undefined;

  /** Whether the server has any of the documents. */
  abstract readonly areServed: boolean;

  protected constructor(private readonly documentController: Type) {
    Reflect.defineMetadata(PATH_METADATA, [], documentController);
  }

  /** Puts the controller at the paths; to be called when the global prefix is known. */
  claimPaths(): void {
    if (!this.areServed) return;
    Reflect.defineMetadata(PATH_METADATA, '/', this.documentController);
    for (const [key, paths] of Object.entries(this.#all)) {
      const method: object = this.documentController.prototype[key];
      Reflect.defineMetadata(PATH_METADATA, paths, method);
    }
  }

  /** Tells whether a path is that of one of the documents, as it is routed. */
  serves(path: string): boolean {
    return this.#list().includes(path);
  }

  /** Tells whether a request is for one of the documents. */
  matches(target: string): boolean {
    return this.#list().some((path) => isTargetOf(path, target));
  }

  /** Finds the paths; called once. */
  protected abstract findPaths(): DocumentPaths<Key>;

  protected keepOffPrefix(application: ApplicationConfig): void {
    if (this.areServed) excludeFromPrefix(application, () => this.#list());
  }

  #list(): readonly string[] {
    return Object.values<readonly string[]>(this.#all).flat();
  }

  get #all(): DocumentPaths<Key> {
    return (this.#paths ??= this.findPaths());
  }
}

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
export function allowPreflights(host: HttpAdapterHost, documents: OpenDocuments): void {
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
    handleFirst(adapter, (request, response) => answerPreflight(adapter, request, response));
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
  allowAnyOrigin(response);
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

/**
 * Lets pages of every origin read a response, whatever the application's own CORS has set. Who may read it does not
 * depend on who asks, so no credentials are wanted.
 */
export function allowAnyOrigin(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Credentials');
  response.setHeader('Access-Control-Allow-Origin', '*');
}
