import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** Answers a request, and tells whether it did. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A hook of Fastify's. */
type OnRequest = (
  request: { readonly raw: IncomingMessage },
  reply: { readonly raw: ServerResponse; hijack(): void },
  done: () => void,
) => void;

const hooks = new WeakMap<AbstractHttpAdapter, OnRequest>();

/**
 * Lets a server answer preflights before the application's `enableCors()` does. Fastify's adapter runs that before any
 * middleware, and has one hook ahead of it, which the servers of an application share.
 */
export function answerPreflightsFirst(adapter: AbstractHttpAdapter, answer: Answer): void {
  if (adapter.getType() !== 'fastify') return;
  const next: OnRequest = hooks.get(adapter) ?? ((_request, _reply, done) => done());
  const hook: OnRequest = (request, reply, done) => {
    if (!answer(request.raw, reply.raw)) return next(request, reply, done);
    reply.hijack();
  };
  hooks.set(adapter, hook);
  adapter.setOnRequestHook(hook);
}
