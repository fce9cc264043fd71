import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** A request as Fastify has it, once it is routed. */
interface RoutedRequest {
  readonly raw: IncomingMessage;
  /** The path of its route; `undefined` without a route. */
  readonly routeOptions: { readonly url?: string };
}

/** Answers a request, and tells whether it did. */
export type Answer = (request: IncomingMessage, response: ServerResponse, routed: RoutedRequest) => boolean;

/** A hook of Fastify's. */
type OnRequest = (
  request: RoutedRequest,
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: () => void,
) => void;

const hooks = new WeakMap<AbstractHttpAdapter, OnRequest>();

/**
 * Lets a server have a request before the application's hooks and `enableCors()` do. Fastify's adapter runs these before any
 * middleware, and has one hook ahead of them, which the servers of an application share.
 */
export function answerFirst(adapter: AbstractHttpAdapter, answer: Answer): void {
  if (adapter.getType() !== 'fastify') return;
  const next: OnRequest = hooks.get(adapter) ?? ((_request, _reply, done) => done());
  const hook: OnRequest = (request, reply, done) => {
    if (!answer(request.raw, reply.raw, request)) return next(request, reply, done);
    reply.hijack();
  };
  hooks.set(adapter, hook);
  adapter.setOnRequestHook(hook);
}
