import { SSE_METADATA } from '@nestjs/common/constants.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { HandlerMetadata, HandlerKind } from '../../decorators/handler-metadata.js';
import type { JsonSchema } from '../../schema/compiled-schema.interface.js';
import {
  type ArgumentsType,
  findNamedParts,
  findUnfilled,
  readFunction,
  type TypedMethod,
  readParameters,
  readParameterNames,
  isUnused,
} from './method-parameters.js';
import { formatHandler, type HandlerLocation } from '../catalog.error.js';
import { INTERCEPTORS_METADATA } from '../invocation/nest-contexts.js';
import { isPlainType, findStaticSchema } from '../../schema/compile-schema.js';
import { findKind, ParameterKind } from '../../decorators/parameter.decorators.js';
import { UriTemplate } from '../../../core/protocol/uri-template.js';
import type {
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
} from '../../settings/handler-options.interface.js';
import type { Named } from '../entries.js';

/** How a compiler treats a class that is imported as a type. */
const ERASED = ' with a plain "import" ("import type" reduces it to "Object")';

/** How to enable parameter types in the compiler output. Only these two compilers can emit them. */
const TYPES =
  'set "emitDecoratorMetadata": true in tsconfig.json, or "decoratorMetadata": true in .swcrc; esbuild, tsx and Vitest need an SWC plugin, such as "unplugin-swc"';

/**
 * Returns a warning about a method that accepts arguments without a schema, or `undefined` if it has a schema or
 * takes no arguments.
 *
 * @param option the option that would describe them
 */
export function describeMissingSchema(
  { undescribed, undescribedClass, isErased = false, isUntyped = false }: ArgumentsType,
  location: HandlerLocation,
  option: string,
): string | undefined {
  if (undescribed === undefined) return undefined;
  if (isUntyped) {
    return `${formatHandler(location)} has a parameter for the arguments, but the compiler emitted no parameter types, so it receives no arguments, even if its type is a DTO class: ${TYPES}, or set "${option}". If the parameter is the context, put @Context() before it; if it is unused, start its name with "_"`;
  }
  if (undescribed === 'parts') {
    return `${formatHandler(location)} has parameters for individual arguments, but nothing describes the arguments, so it receives none: set "${option}"${isErased ? `, or import its class${ERASED}` : ''}`;
  }
  if (undescribedClass !== undefined) {
    return `The parameter of "${location.className}.${location.methodName}" has the type "${undescribedClass}", a class without class-validator decorators, so it receives no arguments: decorate its properties, or set "${option}"`;
  }
  const hint = isErased ? ERASED : '';
  return `${formatHandler(location)} has a parameter for the arguments, but nothing describes them, so it receives none: set "${option}", or use a DTO class as its type${hint}. If the parameter is the context, put @Context() before it; if it is unused, start its name with "_"`;
}

/**
 * Returns a warning about a parameter that expects an argument that callers cannot send. Parameters with a pipe or a
 * default value are excluded, because either may supply a value.
 */
export function describeUnlistedArgument(
  method: TypedMethod,
  location: HandlerLocation,
  schema: JsonSchema,
): string | undefined {
  const { properties } = schema;
  const isOpen = OPENING.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
  if (isOpen || !isObject(properties) || Object.keys(properties).length === 0) return undefined;
  const { length } = readFunction(method);
  const missing = findNamedParts(method).find(({ name, index }) => index < length && !(name in properties));
  if (missing === undefined) return undefined;
  return `${formatHandler(location)} reads the argument "${missing.name}" for the parameter at index [${missing.index}], but "inputSchema" does not define it, so the parameter is undefined: add it, or give the parameter a default value`;
}

/** Keywords that allow arguments with names other than the listed ones. */
const OPENING = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];

/** Lists the problems with a method's parameters and result, each once. */
export function listHandlerWarnings(
  handler: HandlerMetadata,
  method: TypedMethod,
  location: HandlerLocation,
): readonly string[] {
  const problems = [
    describeMistypedParameter(handler, method) ?? describeUnfilled(method, location),
    describeMistaken(method, location),
    describeGenerator(method, location),
    describeEvents(method, location),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function describeUnfilled(method: TypedMethod, location: HandlerLocation): string | undefined {
  const index = findUnfilled(method);
  if (index === undefined) return undefined;
  return `${formatHandler(location)} has no decorator on the parameter at index [${index}], so it receives nothing: put @Context() or @Arguments() before it, or give it a default value`;
}

function describeMistaken(method: TypedMethod, location: HandlerLocation): string | undefined {
  const index = findMistakenContext(method);
  if (index === undefined) return undefined;
  return `${formatHandler(location)} has @Ctx() from "@nestjs/microservices" on the parameter at index [${index}], so it receives the HTTP headers: use @Context() instead`;
}

function describeEvents(method: TypedMethod, location: HandlerLocation): string | undefined {
  if (!Reflect.hasMetadata(SSE_METADATA, readFunction(method))) return undefined;
  return `${formatHandler(location)} has @Sse(), but a call has one result, so callers receive only the last event: use a separate method for the route`;
}

/** An interceptor may convert a generator's values. */
function describeGenerator(method: TypedMethod, location: HandlerLocation): string | undefined {
  const handler = readFunction(method);
  const problem = describeGeneratorFunction({ kind: location.kind, handler }, formatHandler(location));
  if (problem === undefined) return undefined;
  const isIntercepted = [method.classRef, handler].some((target) =>
    Reflect.hasMetadata(INTERCEPTORS_METADATA, target),
  );
  return isIntercepted ? undefined : problem;
}

/**
 * Returns a warning about a method that has access decorators but cannot be called, because its scopes may be meant
 * to protect something.
 */
export function formatUnserved(method: string): string {
  return `"${method}" declares who may call it, but is not a handler: add a decorator such as @Tool(), or remove @RequireScope() and @Public()`;
}

/**
 * Returns a warning about a handler whose serialization decorator no serializer applies, or `undefined` if there is
 * no such decorator.
 */
export function describeMissingSerializer(
  location: HandlerLocation,
  decorator: string | undefined,
): string | undefined {
  if (decorator === undefined) return undefined;
  return `${formatHandler(location)} has ${decorator}, but no serializer runs: add @UseInterceptors() with the serializer that reads it`;
}

/** The kinds whose handlers receive an object of arguments. */
const WITH_ARGUMENTS: ReadonlySet<HandlerKind> = new Set(['tool', 'prompt']);

/** Returns a warning about a first parameter with a type that callers never send, or `undefined` if there is none. */
function describeMistypedParameter(
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
  // Missing schemas have a separate warning.
  if (isAlone && !hasSchema(options)) return undefined;
  const given = isAlone ? 'all arguments as an object' : 'nothing';
  const article = type.name === 'Array' ? 'an' : 'a';
  const { name: className } = method.classRef as { readonly name: string };
  return `"${className}.${method.methodName}" expects ${article} ${type.name}, but receives ${given}: use @Arguments("${name}"), or accept an object`;
}

function hasSchema(options: HandlerMetadata['options']): boolean {
  return ['inputSchema', 'arguments'].some((option) => Reflect.get(options, option) !== undefined);
}

const NAME_OF_CONTEXT = /^_?(?:ctx|context)$/i;

/**
 * Finds a parameter that looks like a context by name or type but receives the HTTP headers: Nest treats `@Ctx()`
 * from its microservices as `@Headers()`. On a route, this may be intended.
 */
function findMistakenContext(method: TypedMethod): number | undefined {
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

/** A class may have a static property `name` of any type. */
function isContextClass(type: unknown): boolean {
  if (typeof type !== 'function') return false;
  const { name }: { readonly name?: unknown } = type;
  return typeof name === 'string' && name.endsWith('Context');
}

/** The kinds whose handlers may return a stream. */
const WITH_STREAMS: ReadonlySet<HandlerKind> = new Set(['resource', 'resourceTemplate', 'app']);

/**
 * Returns a warning about a generator function, whose result cannot be sent. Returns `undefined` for any other
 * handler, and for a resource that returns a stream this way.
 *
 * @param subject names the handler
 */
function describeGeneratorFunction(
  { kind, handler }: { readonly kind: HandlerKind; readonly handler: unknown },
  subject: string,
): string | undefined {
  const tag = Object.prototype.toString.call(handler);
  const isStream = tag === '[object AsyncGeneratorFunction]';
  const isGenerator = isStream || tag === '[object GeneratorFunction]';
  if (!isGenerator || (isStream && WITH_STREAMS.has(kind))) return undefined;
  return `${subject} is a generator function, whose result cannot be sent: collect the values in an array, and return that`;
}

/** A variable in HTTP route syntax. */
const OF_ROUTES = /(?<=\/):([A-Za-z_]\w*)/g;

/**
 * Returns a warning about a URI template that matches only one URI because it has no variable, or `undefined` if it
 * has one.
 */
export function describeFixedTemplate(uriTemplate: string, variables: readonly string[]): string | undefined {
  if (variables.length > 0) return undefined;
  const written = uriTemplate.replaceAll(OF_ROUTES, '{$1}');
  const fix = written === uriTemplate ? 'add one such as "{id}", or use @Resource()' : `use "${written}"`;
  return `"${uriTemplate}" has no variable: ${fix}`;
}

/** Zod types that accept only a value of that type, unless they coerce. */
const TYPES_OF_ZOD: ReadonlySet<unknown> = new Set([
  'array',
  'bigint',
  'boolean',
  'int',
  'null',
  'number',
  'object',
  'record',
  'tuple',
]);

/** Zod's wrappers that do not change which strings a type accepts. */
const AROUND: ReadonlySet<unknown> = new Set(['default', 'nonoptional', 'nullable', 'optional', 'readonly']);

/**
 * Returns a warning about a zod schema with an argument that no client can supply: zod converts strings only when it
 * coerces, which its JSON Schema does not show. Returns `undefined` if there is none, and for other libraries.
 *
 * @param subject names the prompt
 */
export function describeUnconvertedArgument(subject: string, source: unknown): string | undefined {
  const { type: kind, shape } = readDefinition(findStaticSchema(source) ?? source);
  if (kind !== 'object' || !isObject(shape)) return undefined;
  for (const [name, member] of Object.entries(shape)) {
    const type = findStrictType(member);
    if (type === undefined) continue;
    return `${subject} requires its argument "${name}" to be "${type}", but prompt arguments are always strings: use a schema that converts it, such as "z.coerce.number()"`;
  }
  return undefined;
}

function findStrictType(schema: unknown): string | undefined {
  const { type, coerce, innerType } = readDefinition(schema);
  if (AROUND.has(type)) return findStrictType(innerType);
  return TYPES_OF_ZOD.has(type) && coerce !== true ? String(type) : undefined;
}

function readDefinition(schema: unknown): Readonly<Record<string, unknown>> {
  const internals: unknown = isReference(schema) ? Reflect.get(schema, '_zod') : undefined;
  const definition: unknown = isReference(internals) ? Reflect.get(internals, 'def') : undefined;
  return isObject(definition) ? definition : {};
}

function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** A handler that is a plain function. Absent if it is unchanged. */
export type GivenFunction = ((...args: never[]) => unknown) | undefined;

/** The problem with a catalog entry; `undefined` if there is none. */
export type Warnings = readonly (string | undefined)[];

/** Lists why callers cannot use a tool that is a function. */
export function findToolWarnings(
  { name, inputSchema }: Named<ToolOptions>,
  handler: GivenFunction,
): Warnings {
  const subject = nameEntry('Tool', name);
  return [
    describeGeneratorFunction({ kind: 'tool', handler }, subject),
    inputSchema === undefined ? findUndescribed(handler, subject, 'inputSchema') : undefined,
  ];
}

/** Lists why callers cannot use a prompt that is a function. */
export function findPromptWarnings(options: Named<PromptOptions>, handler: GivenFunction): Warnings {
  const { name, arguments: given } = options;
  const subject = nameEntry('Prompt', name);
  return [
    describeGeneratorFunction({ kind: 'prompt', handler }, subject),
    given === undefined
      ? findUndescribed(handler, subject, 'arguments')
      : describeUnconvertedArgument(subject, given),
  ];
}

/** Lists why callers cannot use a resource that is a function. */
export function findResourceWarnings({ uri }: Named<ResourceOptions>, handler: GivenFunction): Warnings {
  return [describeGeneratorFunction({ kind: 'resource', handler }, nameEntry('Resource', uri))];
}

/** Lists why callers cannot use a resource template that is a function. */
export function findResourceTemplateWarnings(
  { uriTemplate }: Named<ResourceTemplateOptions>,
  handler: GivenFunction,
): Warnings {
  return [
    describeGeneratorFunction(
      { kind: 'resourceTemplate', handler },
      nameEntry('Resource template', uriTemplate),
    ),
    describeFixedTemplate(uriTemplate, new UriTemplate(uriTemplate).variables),
  ];
}

function findUndescribed(handler: GivenFunction, subject: string, option: string): string | undefined {
  if (handler === undefined || handler.length === 0 || isUnused(handler)) return undefined;
  return `${subject} has a parameter for the arguments, but nothing describes them, so it receives none: set "${option}", or start its name with "_" if it is unused`;
}

function nameEntry(kind: string, key: string): string {
  return `${kind} "${key}"`;
}
