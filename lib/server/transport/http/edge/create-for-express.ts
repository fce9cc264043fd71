import { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';

/** An application of Express, with the prototypes of its requests and responses. */
interface ExpressApplication {
  readonly request?: object;
  readonly response?: object;
}

/** Node's classes are functions, which can be called on an object that was created already. */
type NodeClass = typeof IncomingMessage | typeof ServerResponse;

/**
 * Has an application's server create requests and responses as Express wants them. Express changes the prototype of each of
 * them, which makes every later access several times slower. Created this way, they are the same objects, and nothing is
 * left to change.
 */
export function createForExpress(adapter: AbstractHttpAdapter): void {
  const { request, response }: ExpressApplication = adapter.getInstance();
  const server: unknown = adapter.getHttpServer();
  if (request === undefined || response === undefined || typeof server !== 'object' || server === null)
    return;
  replace(server, IncomingMessage, request);
  replace(server, ServerResponse, response);
}

/** Node keeps the classes of a server under symbols that bear their names; a class of somebody's own stays. */
function replace(server: object, nodeClass: NodeClass, prototype: object): void {
  const { name } = nodeClass;
  const symbol = Object.getOwnPropertySymbols(server).find(({ description }) => description === name);
  if (symbol === undefined || Reflect.get(server, symbol) !== nodeClass || isClass(nodeClass)) return;
  Reflect.set(server, symbol, derive(nodeClass, prototype));
}

function derive(nodeClass: NodeClass, prototype: object): unknown {
  function Derived(this: object, first: unknown, second: unknown): void {
    Reflect.apply(nodeClass, this, [first, second]);
  }
  Derived.prototype = prototype;
  // By the classes that a class derives from V8 tells how many members its objects will have, and keeps them in fast form.
  Object.setPrototypeOf(Derived, nodeClass);
  return Derived;
}

/** Should Node ever write them as classes, they could not be called. */
function isClass(nodeClass: NodeClass): boolean {
  return String(nodeClass).startsWith('class');
}
