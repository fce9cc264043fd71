import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/**
 * Looks at a request, and tells whether the application is to have it; it is answered if not.
 *
 * @param routed the adapter's own request, if it is there
 */
export type Look = (request: IncomingMessage, response: ServerResponse, routed?: object) => boolean;

/** What is needed of an application of Fastify. */
interface FastifyInstance {
  addHook(name: 'onRequest', hook: OnRequest): unknown;
  /** Absent if the application registers what runs middleware itself. */
  use?: Use;
}

type Use = (this: FastifyInstance, ...middleware: readonly unknown[]) => unknown;

type OnRequest = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: (error?: unknown) => void,
) => void;

/**
 * Looks at each request of Fastify before the application's first middleware. What runs middleware there takes a tenth of a call, and does
 * nothing as long as there is none. So a hook looks, until there is a middleware: hooks come after that, and another middleware looks then.
 *
 * @param onPassed called with what the application had, as far as it dealt with it at once
 */
export function standBeforeMiddleware(
  adapter: AbstractHttpAdapter,
  look: Look,
  onPassed: (request: IncomingMessage) => void,
): void {
  const fastify: FastifyInstance = adapter.getInstance();
  let isMiddleware = false;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isMiddleware) return done();
    let isForOthers: boolean;
    try {
      isForOthers = look(request.raw, reply.raw, request);
    } catch (error) {
      // Fastify lets what a hook throws end the process.
      return done(error);
    }
    if (!isForOthers) return reply.hijack();
    done();
    onPassed(request.raw);
  });
  const { use } = fastify;
  if (use === undefined) return;
  fastify.use = function (...middleware) {
    if (!isMiddleware) {
      isMiddleware = true;
      adapter.use((request: IncomingMessage, response: ServerResponse, next: () => void) => {
        if (!look(request, response)) return;
        next();
        onPassed(request);
      });
    }
    return Reflect.apply(use, this, middleware);
  };
}
