import { isObject } from '../../../core/protocol/json-rpc.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { McpRequest } from '../../context/mcp-request.interface.js';

const NO_HEADERS = Object.freeze({});

/** What contexts inherit from once they show their requests, by what they inherited from before. */
const openPrototypes = new WeakMap<object, object>();

/**
 * Has a context show, behind its own members, those of the HTTP request, for providers that controllers and handlers
 * share. It stays the same object, so that guards and providers of one call share it.
 *
 * @param payload what a `ContextIdStrategy` adds
 */
export function showRequest(context: McpContext, payload?: unknown): McpRequest {
  const prototype = Object.getPrototypeOf(context) as object;
  Object.setPrototypeOf(context, getOpenPrototype(prototype));
  for (const [name, value] of Object.entries(isObject(payload) ? payload : {})) {
    // A strategy cannot replace members of the context, such as the caller.
    if (!(name in context))
      Object.defineProperty(context, name, { value, configurable: true, writable: true });
  }
  return context as McpRequest;
}

function getOpenPrototype(prototype: object): object {
  const known = openPrototypes.get(prototype);
  if (known !== undefined) return known;
  const open = new Proxy(Object.create(prototype) as object, {
    get: (_open, name, context: McpContext) =>
      name in prototype ? Reflect.get(prototype, name, context) : readRequest(context, name),
  });
  openPrototypes.set(prototype, open);
  openPrototypes.set(open, open);
  return open;
}

/** Symbols are what libraries, and Nest itself, know an HTTP request by: a call is another one. */
function readRequest({ http }: McpContext, name: string | symbol): unknown {
  const request = Object(http?.request) as object;
  if (typeof name === 'symbol') return undefined;
  if (!(name in request)) return readOfGraphql(http, name) ?? (name === 'headers' ? NO_HEADERS : undefined);
  const value: unknown = Reflect.get(request, name);
  // Methods know their own object only.
  return typeof value === 'function' ? value.bind(request) : value;
}

/** Providers of GraphQL inject its context by the same token, and read the request from that. */
function readOfGraphql(http: McpContext['http'], name: string): unknown {
  return name === 'req' ? http?.request : undefined;
}
