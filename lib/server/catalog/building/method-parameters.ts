import { findKind, ParameterKind, type ParameterMetadataMap } from '../../decorators/parameter.decorators.js';
import { isPlainType, isSchemaClass, isUndescribedClass } from '../../schema/compile-schema.js';
import { PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import type { DtoClass } from '../../settings/schema-source.interface.js';

/** A method of a class that handles calls. */
export interface TypedMethod {
  readonly classRef: object;
  readonly methodName: string;
}

/** The arguments of a method, as its parameters declare them. */
export interface ArgumentsType {
  /** The class of the arguments, if the type of their parameter declares one. */
  readonly schema?: DtoClass;
  /** Which parameters get untyped arguments: one parameter gets all of them, or several get parts. */
  readonly undescribed?: 'all' | 'parts';
  /**
   * Whether the compiler emits the parameter's type as "Object": an interface, or a class imported with `import type`.
   */
  readonly isErased?: boolean;
  /** Whether the compiler wrote no types of the parameters, which it does for every method that has a decorator. */
  readonly isUntyped?: boolean;
  /** The name of the parameter's class, if the class has no schema. */
  readonly undescribedClass?: string;
  /**
   * The names of the classes, if several parameters get all arguments as different classes, so that no class describes
   * them.
   */
  readonly classes?: readonly string[];
}

const READ_ARGUMENTS: ReadonlySet<number> = new Set([
  ParameterKind.Arguments,
  ParameterKind.Query,
  ParameterKind.Path,
]);

/** Finds what the parameters of a method declare about its arguments. */
export function findArgumentsType(method: TypedMethod): ArgumentsType {
  const index = findArgumentsIndex(method);
  const { types } = readParameters(method);
  if (index === undefined) return {};
  if (index === 'parts') {
    const classes = listClasses(method);
    const wholes = listWholes(method);
    const isErased = wholes.some((whole) => types?.[whole.index] === Object);
    return {
      undescribed: 'parts',
      ...(classes.length > 1 && { classes }),
      ...(isErased && { isErased }),
      ...(types === undefined && wholes.length > 0 && { isUntyped: true }),
    };
  }
  const type = types?.[index];
  if (isSchemaClass(type)) return { schema: type };
  if (index === 0 && isUnused(readFunction(method))) return {};
  if (types === undefined) return { undescribed: 'all', isUntyped: true };
  if (type === Object) return { undescribed: 'all', isErased: true };
  return { undescribed: 'all', ...(isUndescribedClass(type) && { undescribedClass: type.name }) };
}

/**
 * Passes the arguments to an undecorated first parameter if later parameters are decorated and its type allows
 * arguments. Nest leaves such a parameter of a route undefined, and so do methods that are routes.
 */
export function completeParameters(method: TypedMethod): void {
  const { decorated, types, isRoute } = readParameters(method);
  const isOpen = isDecorated(decorated) && !Object.values(decorated).some(({ index }) => index === 0);
  if (!isOpen || isRoute || isPlainType(types?.[0])) return;
  const completed = { ...decorated, [`${ParameterKind.Arguments}:0`]: { index: 0, pipes: [] } };
  Reflect.defineMetadata(PARAMETER_METADATA, completed, method.classRef, method.methodName);
}

/**
 * Finds a parameter that gets nothing, because others are decorated and it is not. Nest's own routes leave such a parameter
 * alone. A default value shows that it may be, and so does a class that describes no arguments behind the decorated ones:
 * the application calls the method itself too.
 */
export function findUnfilled(method: TypedMethod): number | undefined {
  const { decorated, types = [], isRoute } = readParameters(method);
  if (isRoute) return undefined;
  // Without decorators, the arguments and the context are given, and nothing else.
  if (!isDecorated(decorated)) return readFunction(method).length > 2 ? 2 : undefined;
  const filled = new Set(Object.values(decorated).map(({ index }) => index));
  const required = Array.from({ length: readFunction(method).length }, (_, index) => index);
  const last = Math.max(...filled);
  return required.find((index) => !filled.has(index) && (index < last || !isUndescribedClass(types[index])));
}

/** Finds the parameters that get one argument by name without a pipe that could replace it. */
export function findNamedParts(
  method: TypedMethod,
): readonly { readonly name: string; readonly index: number }[] {
  return Object.entries(readParameters(method).decorated).flatMap(([key, { index, data, pipes = [] }]) => {
    const kind = findKind(key);
    const isPart = kind !== undefined && READ_ARGUMENTS.has(kind) && typeof data === 'string' && data !== '';
    return isPart && pipes.length === 0 ? [{ name: data, index }] : [];
  });
}

/** Returns whether the first parameter is named as unused. */
export function isUnused(method: (...args: never[]) => unknown): boolean {
  return readParameterNames(method)[0]?.startsWith('_') === true;
}

function isDecorated(decorated: ParameterMetadataMap): boolean {
  return Object.keys(decorated).length > 0;
}

/** Finds the one parameter that gets all arguments. With several, each type describes only a part. */
function findArgumentsIndex(method: TypedMethod): number | 'parts' | undefined {
  const { decorated, types } = readParameters(method);
  const readers = listReaders(decorated);
  const whole = readers.find(({ isPart }) => !isPart);
  // A named parameter of the same kind only selects a part of the whole.
  const others = readers.filter(
    (reader) => reader !== whole && !(reader.isPart && reader.kind === whole?.kind),
  );
  if (others.length > 0) return 'parts';
  if (whole !== undefined) return whole.index;
  const hasFirst = (types?.length ?? readFunction(method).length) > 0;
  return hasFirst && !isDecorated(decorated) ? 0 : undefined;
}

/** Names the classes that parameters make of all arguments, each once. */
function listClasses(method: TypedMethod): readonly string[] {
  const { types = [] } = readParameters(method);
  const classes = listWholes(method)
    .map(({ index }) => types[index])
    .filter(isSchemaClass);
  return [...new Set(classes.map(({ name }) => name))];
}

function listWholes(method: TypedMethod) {
  return listReaders(readParameters(method).decorated)
    .filter(({ isPart }) => !isPart)
    .toSorted((one, other) => one.index - other.index);
}

function listReaders(decorated: ParameterMetadataMap) {
  return Object.entries(decorated)
    .map(([key, { index, data }]) => ({ kind: findKind(key), index, isPart: data !== undefined }))
    .filter(({ kind }) => kind !== undefined && READ_ARGUMENTS.has(kind));
}

/** Reads what decorators and TypeScript wrote of the parameters of a method. */
export function readParameters({ classRef, methodName }: TypedMethod) {
  const { prototype } = classRef as { readonly prototype: object };
  const decorated: ParameterMetadataMap = Reflect.getMetadata(PARAMETER_METADATA, classRef, methodName) ?? {};
  const types: readonly unknown[] | undefined = Reflect.getMetadata(
    'design:paramtypes',
    prototype,
    methodName,
  );
  const method = readFunction({ classRef, methodName });
  return { decorated, types, isRoute: Reflect.hasMetadata('path', method) };
}

/** Finds the function of a method. */
export function readFunction({ classRef, methodName }: TypedMethod): (...args: unknown[]) => unknown {
  const { prototype } = classRef as { readonly prototype: Readonly<Record<string, unknown>> };
  return prototype[methodName] as (...args: unknown[]) => unknown;
}

/** Unicode property escapes would be exact, but load their tables at each start. Names in running code are valid. */
const NAME = /^[\w$\u0080-\uffff]+/;

/** An arrow function whose one parameter stands without brackets. */
const BARE = /^(?:async\s+)?([\w$\u0080-\uffff]+)\s*=>/;

/** Reads parameter names from the source of a function. A destructured parameter has none. */
export function readParameterNames(method: (...args: never[]) => unknown): readonly (string | undefined)[] {
  const source = String(method);
  const [, bare] = BARE.exec(source) ?? [];
  if (bare !== undefined) return [bare];
  return splitParameters(source.slice(source.indexOf('(') + 1)).map((text) => NAME.exec(text.trim())?.[0]);
}

function splitParameters(source: string): readonly string[] {
  const parameters = [''];
  let depth = 0;
  for (const character of source) {
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
    if (depth < 0) break;
    if (depth === 0 && character === ',') parameters.push('');
    else parameters.push(`${parameters.pop()}${character}`);
  }
  return parameters;
}
