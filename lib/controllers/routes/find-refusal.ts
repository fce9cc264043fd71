import { RequestMethod, StreamableFile } from '@nestjs/common';
import {
  INTERCEPTORS_METADATA,
  REDIRECT_METADATA,
  RENDER_METADATA,
  RESPONSE_PASSTHROUGH_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants.js';
import {
  findKind,
  ParameterKind,
  type ParameterMetadataMap,
} from '../../server/decorators/parameter.decorators.js';
import { PARAMETER_METADATA } from '../../server/settings/mcp.constants.js';
import type { FoundRoute } from './found-route.js';
import { readSwaggerOperation } from './swagger-route.js';

/** The HTTP methods of routes that can be tools. */
const METHODS: ReadonlyMap<number, string> = new Map([
  [RequestMethod.GET, 'GET'],
  [RequestMethod.POST, 'POST'],
  [RequestMethod.PUT, 'PUT'],
  [RequestMethod.PATCH, 'PATCH'],
  [RequestMethod.DELETE, 'DELETE'],
]);

/** Decorators of methods whose responses are not values. */
const RESPONDING: ReadonlyMap<string, string> = new Map([
  [SSE_METADATA, 'has "@Sse()", so its response is an event stream'],
  [RENDER_METADATA, 'has "@Render()", so its response is a page'],
  [REDIRECT_METADATA, 'has "@Redirect()", so its response is a redirect'],
]);

/** Returns the name of a route's HTTP method, if routes with this method can be tools. */
export function findMethod({ requestMethod }: FoundRoute): string | undefined {
  return METHODS.get(requestMethod);
}

/** Finds the reason why a route cannot be a tool, phrased as the predicate of a sentence about the route. */
export function findRefusal(route: FoundRoute): string | undefined {
  if (findMethod(route) === undefined) {
    return `has the HTTP method ${String(RequestMethod[route.requestMethod])}: only GET, POST, PUT, PATCH and DELETE can be tools`;
  }
  const responding = [...RESPONDING].find(([key]) => Reflect.hasMetadata(key, route.handler));
  return responding?.[1] ?? findParameterRefusal(route) ?? findFileRefusal(route);
}

function findParameterRefusal({ controller, methodName }: FoundRoute): string | undefined {
  const parameters: ParameterMetadataMap =
    Reflect.getMetadata(PARAMETER_METADATA, controller, methodName) ?? {};
  const isPassedThrough = Reflect.getMetadata(RESPONSE_PASSTHROUGH_METADATA, controller, methodName) === true;
  for (const key of Object.keys(parameters)) {
    const kind = findKind(key);
    if (kind === ParameterKind.Response && !isPassedThrough) {
      return 'has "@Res()" and writes its response itself: use "@Res({ passthrough: true })" and return the value';
    }
    if (kind === ParameterKind.Next) return 'has "@Next()", so another handler may write its response';
    if (kind === ParameterKind.File || kind === ParameterKind.Files) {
      return 'accepts uploaded files, which arguments cannot contain';
    }
  }
  return undefined;
}

function findFileRefusal(route: FoundRoute): string | undefined {
  const { controller, handler, methodName } = route;
  if (readSwaggerOperation(route).takesFiles || [controller, handler].some(hasFileInterceptor)) {
    return 'accepts uploaded files, which arguments cannot contain';
  }
  const type: unknown = Reflect.getMetadata('design:returntype', controller.prototype as object, methodName);
  return type === StreamableFile ? 'returns a "StreamableFile", so its response is a stream' : undefined;
}

/** The classes created by `FileInterceptor()` and its siblings have random names, but their source always mentions multer. */
function hasFileInterceptor(owner: object): boolean {
  const interceptors: unknown = Reflect.getMetadata(INTERCEPTORS_METADATA, owner);
  return (
    Array.isArray(interceptors) &&
    interceptors.some((one) => typeof one === 'function' && /\bmulter\b/.test(String(one)))
  );
}
