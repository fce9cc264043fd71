import type { Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import type { AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { excludeFromPrefix, isTargetOf } from '../endpoint-path.js';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleFirst, routeTrailingSlashes } from './fastify-edge.js';

/** Paths of documents, by controller method. */
export type DocumentPaths<Key extends string> = Readonly<Record<Key, readonly string[]>>;

/** Sets the paths of a server's documents once they are known, and excludes them from the global prefix. */
export abstract class DocumentRoutes<Key extends string> {
  #paths: DocumentPaths<Key> | undefined;

  /** Whether the server serves any of the documents. */
  abstract readonly areServed: boolean;

  protected constructor(private readonly documentController: Type) {
    Reflect.defineMetadata(PATH_METADATA, [], documentController);
  }

  /** Sets the controller paths. Call it when the global prefix is known. */
  claimPaths(): void {
    if (!this.areServed) return;
    Reflect.defineMetadata(PATH_METADATA, '/', this.documentController);
    for (const [key, paths] of Object.entries(this.#all)) {
      const method: object = this.documentController.prototype[key];
      Reflect.defineMetadata(PATH_METADATA, paths, method);
    }
  }

  /** Whether a route serves one of the documents. */
  serves(path: string): boolean {
    return this.#list().includes(path);
  }

  /** Whether a request is for one of the documents. */
  matches(target: string): boolean {
    return this.#list().some((path) => isTargetOf(path, target));
  }

  /** Determines the paths; called once. */
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

/** Documents that pages from any origin may read. */
interface OpenDocuments {
  readonly routes: Pick<DocumentRoutes<string>, 'areServed' | 'serves' | 'matches'>;
  /** The request headers that pages may send. */
  readonly allowedHeaders: string;
}

const ALLOWED_METHODS = 'GET, HEAD';
const MAXIMUM_AGE_SECONDS = 86_400;

const known = new WeakMap<AbstractHttpAdapter, OpenDocuments[]>();

/**
 * Handles preflights for documents before the application's CORS, which allows other origins. On Express, the
 * endpoint's middleware does this, because a second middleware would slow down every call.
 */
export function allowPreflights(host: HttpAdapterHost, documents: OpenDocuments): void {
  const { routes } = documents;
  if (!routes.areServed) return;
  host.init$.subscribe(() => {
    // An application context, such as a command or a worker, has no adapter.
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

/** Responds to a preflight for a document. Returns whether it did. */
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
 * Allows pages from any origin to read a response, whatever the application's CORS has set. The content does not
 * depend on the reader, so no credentials are needed.
 */
export function allowAnyOrigin(response: ServerResponse): void {
  response.removeHeader('Access-Control-Allow-Credentials');
  response.setHeader('Access-Control-Allow-Origin', '*');
}
