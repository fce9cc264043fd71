import { SSE_METADATA } from '@nestjs/common/constants.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { HandlerMetadata } from '../../decorators/handler-metadata.js';
import type { JsonSchema } from '../../schema/compiled-schema.interface.js';
import {
  type ArgumentsType,
  findNamedParts,
  findUnfilled,
  readFunction,
  type TypedMethod,
} from '../building/find-arguments-type.js';
import { findContextMisfit } from '../building/find-context-misfit.js';
import { findGeneratorMisfit } from '../building/find-generator-misfit.js';
import { findParameterMisfit } from '../building/find-parameter-misfit.js';
import { formatPlace, type HandlerPlace } from '../catalog.error.js';
import { INTERCEPTORS_METADATA } from '../invocation/nest-contexts.js';

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
