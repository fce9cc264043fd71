import type { HandlerKind, HandlerMetadata } from '../../decorators/handler-metadata.js';
import { isPlainType } from '../../schema/is-schema-class.js';
import { readFunction, readParameters, type TypedMethod } from './find-arguments-type.js';
import { readParameterNames } from './read-parameter-names.js';

/** The kinds whose handlers are called with an object of arguments. */
const WITH_ARGUMENTS: ReadonlySet<HandlerKind> = new Set(['tool', 'prompt']);

/** Says that the first parameter of a method has a type that is never given to it. Returns `undefined` if it has none. */
export function findParameterMisfit(
  { kind, options }: HandlerMetadata,
  method: TypedMethod,
): string | undefined {
  const { decorated, types, isRoute } = readParameters(method);
  const [type] = types ?? [];
  const isDecorated = Object.values(decorated).some(({ index }) => index === 0);
  if (!WITH_ARGUMENTS.has(kind) || isDecorated || isRoute || !isPlainType(type)) return undefined;
  const [name = 'name'] = readParameterNames(readFunction(method));
  if (name.startsWith('_')) return undefined;
  const isAlone = Object.keys(decorated).length === 0;
  // If nothing describes the arguments, that is said instead.
  if (isAlone && !hasSchema(options)) return undefined;
  const given = isAlone ? 'all arguments as an object' : 'nothing';
  const article = type.name === 'Array' ? 'an' : 'a';
  const { name: className } = method.classRef as { readonly name: string };
  return `"${className}.${method.methodName}" takes ${article} ${type.name}, but gets ${given}: write @Arguments("${name}"), or take an object`;
}

function hasSchema(options: HandlerMetadata['options']): boolean {
  return ['inputSchema', 'arguments'].some((option) => Reflect.get(options, option) !== undefined);
}
