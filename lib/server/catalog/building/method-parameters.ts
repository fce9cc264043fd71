import { findKind, ParameterKind, type ParameterMetadataMap } from '../../decorators/parameter.decorators.js';
import { isPlainType, isSchemaClass, isUndescribedClass } from '../../schema/compile-schema.js';
import { PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import type { DtoClass } from '../../settings/schema-source.interface.js';

/** A class method that handles calls. */
export interface TypedMethod {
  readonly classRef: object;
  readonly methodName: string;
}

/** A method's arguments, as its parameters declare them. */
export interface ArgumentsType {
  /** The arguments' class, if their parameter's type declares one. */
  readonly schema?: DtoClass;
  /** Which parameters receive untyped arguments: one parameter receives all of them, or several receive parts. */
  readonly undescribed?: 'all' | 'parts';
  /**
   * Whether the compiler emits the parameter's type as "Object": an interface, or a class imported with `import type`.
   */
  readonly isErased?: boolean;
  /** Whether the compiler emitted no parameter types. It should emit them for every decorated method. */
  readonly isUntyped?: boolean;
  /** The name of the parameter's class, if the class has no schema. */
  readonly undescribedClass?: string;
  /**
   * The names of the classes, if several parameters receive all arguments as different classes, so no single class
   * describes them.
   */
  readonly classes?: readonly string[];
}

const READ_ARGUMENTS: ReadonlySet<number> = new Set([
  ParameterKind.Arguments,
  ParameterKind.Query,
  ParameterKind.Path,
]);

/** Finds what a method's parameters declare about its arguments. */
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
 * arguments. On a route, Nest leaves such a parameter undefined, so methods that are also routes do too.
 */
export function completeParameters(method: TypedMethod): void {
  const { decorated, types, isRoute } = readParameters(method);
  const isOpen = isDecorated(decorated) && !Object.values(decorated).some(({ index }) => index === 0);
  if (!isOpen || isRoute || isPlainType(types?.[0])) return;
  const completed = { ...decorated, [`${ParameterKind.Arguments}:0`]: { index: 0, pipes: [] } };
  Reflect.defineMetadata(PARAMETER_METADATA, completed, method.classRef, method.methodName);
}

/**
 * Finds a parameter that receives nothing because it is the only undecorated one. Nest's own routes ignore such a
 * parameter. A default value shows that this is intended, and so does a class without argument metadata after the
 * decorated parameters: the application also calls the method itself.
 */
export function findUnfilled(method: TypedMethod): number | undefined {
  const { decorated, types = [], isRoute } = readParameters(method);
  if (isRoute) return undefined;
  // Without decorators, only the arguments and the context are passed.
  if (!isDecorated(decorated)) return readFunction(method).length > 2 ? 2 : undefined;
  const filled = new Set(Object.values(decorated).map(({ index }) => index));
  const required = Array.from({ length: readFunction(method).length }, (_, index) => index);
  const last = Math.max(...filled);
  return required.find((index) => !filled.has(index) && (index < last || !isUndescribedClass(types[index])));
}

/** Finds the parameters that receive one argument by name without a pipe that could replace it. */
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

/** Finds the one parameter that receives all arguments. With several, each type describes only a part. */
function findArgumentsIndex(method: TypedMethod): number | 'parts' | undefined {
  const { decorated, types } = readParameters(method);
  const readers = listReaders(decorated);
  const whole = readers.find(({ isPart }) => !isPart);
  // A named parameter of the same kind selects only a part of the whole.
  const others = readers.filter(
    (reader) => reader !== whole && !(reader.isPart && reader.kind === whole?.kind),
  );
  if (others.length > 0) return 'parts';
  if (whole !== undefined) return whole.index;
  const hasFirst = (types?.length ?? readFunction(method).length) > 0;
  return hasFirst && !isDecorated(decorated) ? 0 : undefined;
}

/** Lists the classes that parameters convert all arguments to, each once. */
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

/** Reads the metadata that decorators and TypeScript emitted for a method's parameters. */
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

/** Finds a method's function. */
export function readFunction({ classRef, methodName }: TypedMethod): (...args: unknown[]) => unknown {
  const { prototype } = classRef as { readonly prototype: Readonly<Record<string, unknown>> };
  return prototype[methodName] as (...args: unknown[]) => unknown;
}

/**
 * Unicode property escapes would be exact, but would load their tables at each start. Names in running code are
 * always valid.
 */
const NAME = /^[\w$\u0080-\uffff]+/;

/** An arrow function whose only parameter has no parentheses. */
const BARE = /^(?:async\s+)?([\w$\u0080-\uffff]+)\s*=>/;

/** Reads parameter names from a function's source. A destructured parameter has none. */
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
