import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
} from '@nestjs/common';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../../server/schema/compiled-schema.interface.js';
import { compileSchema, hasValidators, isSchemaClass } from '../../server/schema/compile-schema.js';
import { findJsonCopy, hasStandardSchema } from '../../server/schema/json.js';
import { addSwaggerKeywords } from '../../server/schema/dto/swagger.js';
import { describeSwaggerClass, isSwaggerClass } from './swagger-class.js';
import type { SchemaSource } from '../../server/settings/schema-source.interface.js';

/** What a route's decorators declare about one value of a request. */
export interface DescribedValue {
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Separates the items of a list within one string; absent if each item has its own parameter. */
  readonly separator?: string;
}

/** What is known about one route parameter. */
export interface DeclaredParameter {
  readonly pipes: readonly unknown[];
  /** The type from TypeScript's emitted metadata. */
  readonly type: unknown;
  /** The schema in the decorator's options. */
  readonly schema?: unknown;
  /** The options of `@ApiParam()`, `@ApiQuery()`, `@ApiHeader()` or `@ApiBody()`. */
  readonly swagger: JsonSchema | undefined;
}

const TYPES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Array, { type: 'array' }],
  [Date, { type: 'string', format: 'date-time' }],
]);

/** The delimiters of OpenAPI styles, except for `form`. */
const DELIMITERS: ReadonlyMap<unknown, string> = new Map([
  ['spaceDelimited', ' '],
  ['pipeDelimited', '|'],
]);

/** What each of Nest's pipes accepts. */
const PIPES: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [ParseIntPipe, { type: 'integer' }],
  [ParseFloatPipe, { type: 'number' }],
  [ParseBoolPipe, { type: 'boolean' }],
  [ParseUUIDPipe, { type: 'string', format: 'uuid' }],
]);

/** Describes a value that a parameter reads by name, such as `@Query('page', ParseIntPipe)`. */
export function describeParameter(parameter: DeclaredParameter): DescribedValue {
  const { pipes, swagger } = parameter;
  const described: JsonSchema = Object.assign({}, ...pipes.map(describePipe));
  const base = Object.keys(described).length > 0 ? described : describeType(parameter);
  const { schema: inner, ...options } = swagger ?? {};
  const known = isObject(inner) && !JSON.stringify(inner).includes('"$ref"') ? { ...base, ...inner } : base;
  const schema = swagger === undefined ? known : addSwaggerKeywords(known, options, 'input');
  const fallback = findDefault(pipes);
  const separator = findSeparator(pipes, swagger);
  return {
    schema: { ...schema, ...(fallback !== undefined && { default: fallback }) },
    isRequired: fallback === undefined && isRequired(pipes, swagger),
    ...(separator !== undefined && { separator }),
  };
}

/** A string that one of the application's pipes reads has no type. */
function describeType({ type, schema }: DeclaredParameter): JsonSchema {
  return hasStandardSchema(schema) ? show(schema) : describeClass(type);
}

/**
 * Finds the schema of an entire query or body: in the decorator's options, in the DTO class, in a pipe with a schema,
 * or in `@ApiBody()`.
 *
 * @throws {SchemaError} if the schema cannot be shown as JSON Schema
 */
export function findObjectSchema({ type, schema, pipes, swagger = {} }: DeclaredParameter): JsonSchema {
  if (hasStandardSchema(schema)) return show(schema);
  const items = findItems(pipes);
  if (items !== undefined) return describeList(items);
  if (isSchemaClass(type)) return describeClass(type);
  const piped = pipes.flatMap(listMembers).find(hasStandardSchema);
  if (piped !== undefined) return show(piped);
  if (isSwaggerClass(type)) return describeClass(type);
  return findSwaggerSchema(swagger);
}

function show(source: unknown): JsonSchema {
  const { $schema: _, ...shown } = compileSchema(source as SchemaSource, 'input').jsonSchema;
  return shown;
}

/** Describes what a class with validators or swagger decorators, or another type, accepts. */
export function describeClass(type: unknown): JsonSchema {
  if (!isSchemaClass(type))
    return isSwaggerClass(type) ? describeSwaggerClass(type, 'input') : (TYPES.get(type) ?? {});
  const shown = show(type);
  if (!hasValidators(type) || !isSwaggerClass(type)) return shown;
  // Only a pipe with "whitelist" ignores properties without validators.
  const { properties } = describeSwaggerClass(type, 'input');
  return { ...shown, properties: { ...(properties as JsonSchema), ...(shown['properties'] as JsonSchema) } };
}

function describeList(type: unknown): JsonSchema {
  return { type: 'array', items: describeClass(type) };
}

function findSwaggerSchema({ type, schema, isArray, description }: JsonSchema): JsonSchema {
  const about = typeof description === 'string' ? { description } : {};
  if (isObject(schema)) return JSON.stringify(schema).includes('"$ref"') ? about : { ...schema, ...about };
  // The default of `@ApiBody()`, which bodies cannot be.
  if (typeof type !== 'function' || (type === String && isArray !== true)) return about;
  const one = describeClass(type);
  return { ...(isArray === true ? { type: 'array', items: one } : one), ...about };
}

function describePipe(pipe: unknown): JsonSchema {
  const kind = [...PIPES].find(([classRef]) => isPipe(pipe, classRef));
  if (kind !== undefined) return kind[1];
  if (isPipe(pipe, ParseEnumPipe)) return describeEnum(readMember(pipe, 'enumType'));
  if (!isPipe(pipe, ParseArrayPipe)) return {};
  const items = findItems([pipe]);
  return items === undefined ? { type: 'array', items: { type: 'string' } } : describeList(items);
}

/** A pipe is a class or an instance. */
function isPipe(pipe: unknown, classRef: unknown): boolean {
  const own: unknown = typeof pipe === 'function' ? pipe : isObject(pipe) ? pipe['constructor'] : undefined;
  if (typeof own !== 'function' || typeof classRef !== 'function') return false;
  return own === classRef || own.prototype instanceof classRef;
}

/** Numeric enums also contain their names as values. */
function describeEnum(given: unknown): JsonSchema {
  if (!isObject(given)) return {};
  const values = Object.entries(given)
    .filter(([name]) => typeof given[String(given[name])] !== 'number' || String(Number(name)) !== name)
    .map(([, value]) => value);
  return { enum: values };
}

function findItems(pipes: readonly unknown[]): unknown {
  const list = pipes.find((pipe) => isPipe(pipe, ParseArrayPipe));
  return list === undefined ? undefined : readMember(readMember(list, 'options'), 'items');
}

/** Finds what joins list items: a pipe's separator, or the delimiter of an OpenAPI style without `explode`. */
function findSeparator(pipes: readonly unknown[], { explode, style }: JsonSchema = {}): string | undefined {
  const list = pipes.find((pipe) => isPipe(pipe, ParseArrayPipe));
  if (list === undefined) return explode === false ? (DELIMITERS.get(style) ?? ',') : undefined;
  const given = readMember(readMember(list, 'options'), 'separator');
  return typeof given === 'string' ? given : ',';
}

function findDefault(pipes: readonly unknown[]): unknown {
  const pipe = pipes.find((one) => isPipe(one, DefaultValuePipe));
  return pipe === undefined ? undefined : findJsonCopy(readMember(pipe, 'defaultValue'));
}

/** Without a pipe that requires a value, only swagger declares whether a parameter is required. */
function isRequired(pipes: readonly unknown[], swagger: JsonSchema | undefined): boolean {
  if (typeof swagger?.['required'] === 'boolean') return swagger['required'];
  const strict = pipes.filter((pipe) =>
    [...PIPES.keys(), ParseEnumPipe, ParseArrayPipe].some((classRef) => isPipe(pipe, classRef)),
  );
  return (
    strict.length > 0 && strict.every((pipe) => readMember(readMember(pipe, 'options'), 'optional') !== true)
  );
}

function readMember(owner: unknown, name: string): unknown {
  return isObject(owner) ? owner[name] : undefined;
}

function listMembers(pipe: unknown): readonly unknown[] {
  return isObject(pipe) ? Object.values(pipe) : [];
}
