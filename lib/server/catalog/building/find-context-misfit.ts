import { findKind, ParameterKind } from '../../decorators/parameter-metadata.js';
import { readFunction, readParameters, type TypedMethod } from './find-arguments-type.js';
import { readParameterNames } from './read-parameter-names.js';

const NAME_OF_CONTEXT = /^_?(?:ctx|context)$/i;

/**
 * Finds a parameter that is a context by its name or its type, and gets the headers of HTTP: to Nest, `@Ctx()` of its
 * microservices is `@Headers()`. On a route, it may be that.
 */
export function findContextMisfit(method: TypedMethod): number | undefined {
  const { decorated, types = [], isRoute } = readParameters(method);
  if (isRoute) return undefined;
  const whole = Object.entries(decorated).filter(
    ([key, { data }]) => findKind(key) === ParameterKind.Headers && data === undefined,
  );
  if (whole.length === 0) return undefined;
  const names = readParameterNames(readFunction(method));
  return whole
    .map(([, { index }]) => index)
    .find((index) => NAME_OF_CONTEXT.test(names[index] ?? '') || isContextClass(types[index]));
}

/** A class may have a static member called `name`, of any type. */
function isContextClass(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  const { name }: { readonly name?: unknown } = type;
  return typeof name === 'string' && name.endsWith('Context');
}
