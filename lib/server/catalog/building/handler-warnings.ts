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
import { formatPlace, type HandlerPlace } from '../catalog.error.js';
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

/** What a compiler does to a class that is imported as a type. */
const ERASED = ' by a plain "import" ("import type" leaves "Object" of it)';

/** What writes the types of parameters. Compilers other than these two write none. */
const TYPES =
  'set "emitDecoratorMetadata": true in tsconfig.json, or "decoratorMetadata": true in .swcrc; esbuild, tsx and Vitest need a plugin of SWC for it, such as "unplugin-swc"';

/**
 * Says that nothing describes the arguments of a method that takes some. Returns `undefined` if something does, or if it
 * takes none.
 *
 * @param option what would describe them
 */
export function describeUndescribed(
  { undescribed, undescribedClass, isErased = false, isUntyped = false }: ArgumentsType,
  place: HandlerPlace,
  option: string,
): string | undefined {
  if (undescribed === undefined) return undefined;
  if (isUntyped) {
    return `${formatPlace(place)} has a parameter for the arguments, but the compiler wrote no types of parameters, so it gets none, even if its type is a DTO class: ${TYPES}, or give "${option}". Put @Context() before it if it is the context, and begin its name with "_" if nothing uses it`;
  }
  if (undescribed === 'parts') {
    return `${formatPlace(place)} has parameters for parts of the arguments, but nothing says what the arguments are, so it gets none: give "${option}"${isErased ? `, or load its class${ERASED}` : ''}`;
  }
  if (undescribedClass !== undefined) {
    return `The parameter of "${place.className}.${place.methodName}" is of the class "${undescribedClass}", which has no decorators of class-validator, so it gets no arguments: decorate its members, or give "${option}"`;
  }
  const hint = isErased ? ERASED : '';
  return `${formatPlace(place)} has a parameter for the arguments, but nothing says what they are, so it gets none: give "${option}", or make a DTO class its type${hint}. Put @Context() before it if it is the context, and begin its name with "_" if nothing uses it`;
}

/** Says that a parameter takes an argument that callers cannot send. A pipe may have a value in its place, or a default. */
export function describeUnlisted(
  method: TypedMethod,
  place: HandlerPlace,
  schema: JsonSchema,
): string | undefined {
  const { properties } = schema;
  const isOpen = OPENING.some((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
  if (isOpen || !isObject(properties) || Object.keys(properties).length === 0) return undefined;
  const { length } = readFunction(method);
  const missing = findNamedParts(method).find(({ name, index }) => index < length && !(name in properties));
  if (missing === undefined) return undefined;
  return `${formatPlace(place)} takes the argument "${missing.name}" for the parameter at index [${missing.index}], but "inputSchema" has none of that name, so it gets undefined: add it, or give the parameter a default value`;
}

/** Keywords with which arguments may have other names than those that are listed. */
const OPENING = ['additionalProperties', 'patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'];

/** Says what is wrong with the parameters of a method, and with its result. Each is said once. */
export function describeMisfits(
  handler: HandlerMetadata,
  method: TypedMethod,
  place: HandlerPlace,
): readonly string[] {
  const faults = [
    findParameterMisfit(handler, method) ?? describeUnfilled(method, place),
    describeMistaken(method, place),
    describeGenerator(method, place),
    describeEvents(method, place),
  ];
  return faults.filter((fault) => fault !== undefined);
}

function describeUnfilled(method: TypedMethod, place: HandlerPlace): string | undefined {
  const index = findUnfilled(method);
  if (index === undefined) return undefined;
  return `${formatPlace(place)} has no decorator on the parameter at index [${index}], so it gets nothing: put @Context() or @Arguments() before it, or give it a default value`;
}

function describeMistaken(method: TypedMethod, place: HandlerPlace): string | undefined {
  const index = findContextMisfit(method);
  if (index === undefined) return undefined;
  return `${formatPlace(place)} has @Ctx() of "@nestjs/microservices" on the parameter at index [${index}], so it gets the headers of HTTP: put @Context() before it instead`;
}

function describeEvents(method: TypedMethod, place: HandlerPlace): string | undefined {
  if (!Reflect.hasMetadata(SSE_METADATA, readFunction(method))) return undefined;
  return `${formatPlace(place)} has @Sse(), but a call has one result, so callers get the last event alone: give the route a method of its own`;
}

/** An interceptor may make something else of what a generator gives. */
function describeGenerator(method: TypedMethod, place: HandlerPlace): string | undefined {
  const handler = readFunction(method);
  const fault = findGeneratorMisfit({ kind: place.kind, handler }, formatPlace(place));
  if (fault === undefined) return undefined;
  const isIntercepted = [method.classRef, handler].some((target) =>
    Reflect.hasMetadata(INTERCEPTORS_METADATA, target),
  );
  return isIntercepted ? undefined : fault;
}

/** Says that nobody can call a method with decorators for access, because it may hold the scope that somebody relies on. */
export function formatUnserved(method: string): string {
  return `"${method}" says who may call it, and is no handler: add a decorator such as @Tool(), or remove @RequireScope() and @Public()`;
}

/** Says that a handler may show more than its decorator says. Returns `undefined` without such a decorator. */
export function describeUnserialized(place: HandlerPlace, decorator: string | undefined): string | undefined {
  if (decorator === undefined) return undefined;
  return `${formatPlace(place)} has ${decorator}, and no serializer runs: add @UseInterceptors() with the one that reads it`;
}

/** The kinds whose handlers are called with an object of arguments. */
const WITH_ARGUMENTS: ReadonlySet<HandlerKind> = new Set(['tool', 'prompt']);

/** Says that the first parameter of a method has a type that is never given to it. Returns `undefined` if it has none. */
function findParameterMisfit({ kind, options }: HandlerMetadata, method: TypedMethod): string | undefined {
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

const NAME_OF_CONTEXT = /^_?(?:ctx|context)$/i;

/**
 * Finds a parameter that is a context by its name or its type, and gets the headers of HTTP: to Nest, `@Ctx()` of its
 * microservices is `@Headers()`. On a route, it may be that.
 */
function findContextMisfit(method: TypedMethod): number | undefined {
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

/** The kinds whose handlers may give a stream. */
const WITH_STREAMS: ReadonlySet<HandlerKind> = new Set(['resource', 'resourceTemplate', 'app']);

/**
 * Says that a handler is a generator function, whose result cannot be sent. Returns `undefined` if it is none, and for a
 * resource that gives a stream this way.
 *
 * @param subject names the handler
 */
function findGeneratorMisfit(
  { kind, handler }: { readonly kind: HandlerKind; readonly handler: unknown },
  subject: string,
): string | undefined {
  const tag = Object.prototype.toString.call(handler);
  const isStream = tag === '[object AsyncGeneratorFunction]';
  const isGenerator = isStream || tag === '[object GeneratorFunction]';
  if (!isGenerator || (isStream && WITH_STREAMS.has(kind))) return undefined;
  return `${subject} is a generator function, whose result cannot be sent: collect the values in an array, and return that`;
}

/** A variable as routes of HTTP write it. */
const OF_ROUTES = /(?<=\/):([A-Za-z_]\w*)/g;

/** Says that a URI template has no variable, so that only one URI fits it. Returns `undefined` if it has one. */
export function findTemplateMisfit(uriTemplate: string, variables: readonly string[]): string | undefined {
  if (variables.length > 0) return undefined;
  const written = uriTemplate.replaceAll(OF_ROUTES, '{$1}');
  const remedy =
    written === uriTemplate ? 'write it with one such as "{id}", or use @Resource()' : `write "${written}"`;
  return `"${uriTemplate}" has no variable: ${remedy}`;
}

/** What zod makes of nothing but a value of that type, unless it coerces. */
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

/** What zod puts around a type without changing which strings it takes. */
const AROUND: ReadonlySet<unknown> = new Set(['default', 'nonoptional', 'nullable', 'optional', 'readonly']);

/**
 * Says that a schema of zod has an argument that no client can give: zod coerces only if it is told to, and its JSON Schema
 * does not show that. Returns `undefined` if there is none, and for other schemas.
 *
 * @param subject names the prompt
 */
export function findPromptMisfit(subject: string, source: unknown): string | undefined {
  const { type: kind, shape } = readDefinition(findStaticSchema(source) ?? source);
  if (kind !== 'object' || !isObject(shape)) return undefined;
  for (const [name, member] of Object.entries(shape)) {
    const type = findStrictType(member);
    if (type === undefined) continue;
    return `${subject} wants its argument "${name}" to be "${type}", but the arguments of prompts are always strings: write a schema that converts it, such as "z.coerce.number()"`;
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

/** A handler that is a plain function. Absent if it stays as it is. */
export type GivenFunction = ((...args: never[]) => unknown) | undefined;

/** What is wrong with an entry of the catalog; `undefined` for what is right. */
export type Misfits = readonly (string | undefined)[];

/** Says why callers cannot use a tool that is a function. */
export function findToolMisfits({ name, inputSchema }: Named<ToolOptions>, handler: GivenFunction): Misfits {
  const subject = nameEntry('Tool', name);
  return [
    findGeneratorMisfit({ kind: 'tool', handler }, subject),
    inputSchema === undefined ? findUndescribed(handler, subject, 'inputSchema') : undefined,
  ];
}

/** Says why callers cannot use a prompt that is a function. */
export function findPromptMisfits(options: Named<PromptOptions>, handler: GivenFunction): Misfits {
  const { name, arguments: given } = options;
  const subject = nameEntry('Prompt', name);
  return [
    findGeneratorMisfit({ kind: 'prompt', handler }, subject),
    given === undefined ? findUndescribed(handler, subject, 'arguments') : findPromptMisfit(subject, given),
  ];
}

/** Says why callers cannot use a resource that is a function. */
export function findResourceMisfits({ uri }: Named<ResourceOptions>, handler: GivenFunction): Misfits {
  return [findGeneratorMisfit({ kind: 'resource', handler }, nameEntry('Resource', uri))];
}

/** Says why callers cannot use a resource template that is a function. */
export function findResourceTemplateMisfits(
  { uriTemplate }: Named<ResourceTemplateOptions>,
  handler: GivenFunction,
): Misfits {
  return [
    findGeneratorMisfit({ kind: 'resourceTemplate', handler }, nameEntry('Resource template', uriTemplate)),
    findTemplateMisfit(uriTemplate, new UriTemplate(uriTemplate).variables),
  ];
}

function findUndescribed(handler: GivenFunction, subject: string, option: string): string | undefined {
  if (handler === undefined || handler.length === 0 || isUnused(handler)) return undefined;
  return `${subject} has a parameter for the arguments, but nothing says what they are, so it gets none: give "${option}", or begin its name with "_" if nothing uses it`;
}

function nameEntry(kind: string, key: string): string {
  return `${kind} "${key}"`;
}
