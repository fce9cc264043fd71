import { findKind, ParameterKind, type ParameterMetadataMap } from '../../decorators/parameter.decorators.js';
import { isPlainType, isSchemaClass, isUndescribedClass } from '../../schema/compile-schema.js';
import { PARAMETER_METADATA } from '../../settings/mcp.constants.js';
import type { DtoClass } from '../../settings/schema-source.interface.js';

/** A method of a class that handles calls. */
export interface TypedMethod {
  readonly classRef: object;
  readonly methodName: string;
}

/** What a method says itself of the arguments that it takes. */
export interface ArgumentsType {
  /** The class that they become, if the type of their parameter says so. */
  readonly schema?: DtoClass;
  /** The parameters that take arguments without a type: one parameter all of them, or several parts of them. */
  readonly undescribed?: 'all' | 'parts';
  /** Whether the one parameter has a type of which the compiler leaves "Object": an interface, or a class by `import type`. */
  readonly isErased?: boolean;
  /** Whether the compiler wrote no types of the parameters, which it does for every method that has a decorator. */
  readonly isUntyped?: boolean;
  /** The name of the class that the one parameter has, if it describes none of its members. */
  readonly undescribedClass?: string;
  /** The names of the classes that several parameters make of all of them: no one of these says what they are. */
  readonly classes?: readonly string[];
}

const READ_ARGUMENTS: ReadonlySet<number> = new Set([
  ParameterKind.Arguments,
  ParameterKind.Query,
  ParameterKind.Path,
]);

/** Finds what the parameters of a method say of its arguments. */
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
 * An undecorated first parameter takes the arguments if later parameters are decorated and arguments can have its type.
 * Nest's own routes leave such a parameter alone, and so do methods that are one.
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

/** Finds the parameters that take one argument by its name, and have no pipe that could have something in its place. */
export function findNamedParts(
  method: TypedMethod,
): readonly { readonly name: string; readonly index: number }[] {
  return Object.entries(readParameters(method).decorated).flatMap(([key, { index, data, pipes = [] }]) => {
    const kind = findKind(key);
    const isPart = kind !== undefined && READ_ARGUMENTS.has(kind) && typeof data === 'string' && data !== '';
    return isPart && pipes.length === 0 ? [{ name: data, index }] : [];
  });
}

/** Tells whether the name of the first parameter shows that it only fills a place before others. */
export function isUnused(method: (...args: never[]) => unknown): boolean {
  return readParameterNames(method)[0]?.startsWith('_') === true;
}

function isDecorated(decorated: ParameterMetadataMap): boolean {
  return Object.keys(decorated).length > 0;
}

/** Finds the one parameter that takes all arguments; of several, the type of each says something of a part alone. */
function findArgumentsIndex(method: TypedMethod): number | 'parts' | undefined {
  const { decorated, types } = readParameters(method);
  const readers = listReaders(decorated);
  const whole = readers.find(({ isPart }) => !isPart);
  // A name beside the whole is another way to what is in it.
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

/** Properties of Unicode would say it exactly, and cost every start their tables. A source that runs has valid names. */
const NAME = /^[\w$\u0080-\uffff]+/;

/** An arrow function whose one parameter stands without brackets. */
const BARE = /^(?:async\s+)?([\w$\u0080-\uffff]+)\s*=>/;

/** Reads the names of parameters from the source of a function. A parameter that takes its value apart has none. */
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
