import { isObject } from '../../../../core/protocol/json-rpc.js';
import type { HandlerResponse } from './handler-response.js';

/** What a GraphQL context never has for a request by HTTP: with it, code takes the request for one of a subscription. */
const ABSENT: ReadonlySet<PropertyKey> = new Set(['headers', 'connection', 'extra', 'subscriptions']);

/**
 * Shows the response of a call as the context that GraphQL code reads: `GqlExecutionContext.create(context).getContext()` gives
 * what stands second among the arguments of a route. The members `req`, `res`, `request`, `reply` and `user` are as in the
 * contexts of Nest's drivers. What is written stays in this call, and each method is one of this call.
 */
export function showGraphqlContext(response: HandlerResponse): HandlerResponse {
  const { req } = response;
  const members = new Map<PropertyKey, unknown>([
    ['req', req],
    ['request', req],
    ['res', response],
    ['reply', response],
    ['response', response],
  ]);
  const methods = new Map<PropertyKey, unknown>();

  function read(name: PropertyKey): unknown {
    if (members.has(name)) return members.get(name);
    if (ABSENT.has(name)) return undefined;
    if (name === 'user' && !Object.hasOwn(response, name)) return isObject(req) ? req['user'] : undefined;
    const value: unknown = Reflect.get(response, name, response);
    if (typeof value !== 'function') return value;
    // Methods know their own object only.
    if (!methods.has(name)) methods.set(name, value.bind(response));
    return methods.get(name);
  }

  return new Proxy(response, {
    get: (_response, name) => read(name),
    set: (_response, name, value) => {
      const isOwn = members.has(name) || ABSENT.has(name);
      if (isOwn) members.set(name, value);
      return isOwn || Reflect.set(response, name, value, response);
    },
    has: (_response, name) => members.has(name) || name === 'user' || (!ABSENT.has(name) && name in response),
  });
}
