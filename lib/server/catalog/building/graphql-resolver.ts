import { isObject } from '../../../core/protocol/json-rpc.js';
import {
  findOperationDescription,
  loadGraphqlMetadata,
  findGraphqlArguments,
  findGraphqlFields,
  findInputTypeDescription,
  type GraphqlMember,
} from '../../schema/dto/graphql-metadata.js';
import type { ToolOptions } from '../../settings/handler-options.interface.js';
import type { ToolEntry } from '../entries.js';
import type { NewEntry } from '../registry.js';
import { findSharingPackages } from '../invocation/sharing-packages.js';
import { type ArgumentsType, readFunction, type TypedMethod } from './method-parameters.js';
import type { DtoClass, JsonSchema } from '../../schema/compiled-schema.interface.js';
import { compileSchema, hasValidators } from '../../schema/compile-schema.js';
import { describeValues, listEnumValues } from '../../schema/dto/constraint-keywords.js';

/**
 * Describes a resolver as a tool, using `@nestjs/graphql` metadata. Options override it.
 *
 * @param listClasses returns the application's classes in order
 */
export function describeResolver(
  method: TypedMethod,
  type: ArgumentsType,
  listClasses: () => readonly object[],
): Pick<ToolOptions, 'description' | 'inputSchema'> {
  const { classRef, methodName } = method;
  const packages = findSharingPackages(classRef, readFunction(method), false);
  if (packages.every(({ name }) => name !== '@nestjs/graphql')) return {};
  loadGraphqlMetadata(listClasses());
  const description = findOperationDescription(classRef, methodName);
  const inputSchema = type.undescribed && buildGraphqlSchema(classRef, methodName);
  return {
    ...(description !== undefined && { description }),
    ...(inputSchema !== undefined && { inputSchema }),
  };
}

/** Adds the `@Args()` descriptions to those of a tool's arguments that have none. */
export function addArgumentDescriptions(
  entry: NewEntry<ToolEntry>,
  { classRef, methodName }: TypedMethod,
): NewEntry<ToolEntry> {
  const descriptions = findArgumentDescriptions(classRef, methodName);
  const { definition } = entry;
  const { properties } = definition.inputSchema;
  if (descriptions.size === 0 || !isObject(properties)) return entry;
  const described = Object.entries(properties).map(([name, schema]) => {
    const description = descriptions.get(name);
    const isAdded = description !== undefined && isObject(schema) && schema['description'] === undefined;
    return [name, isAdded ? { ...schema, description } : schema] as const;
  });
  const inputSchema = Object.freeze({ ...definition.inputSchema, properties: Object.fromEntries(described) });
  return { ...entry, definition: { ...definition, inputSchema } };
}

const SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
]);

/** GraphQL's built-in scalars. Custom scalars have conversions that a call would not run. */
const NAMED_SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  ['ID', { type: 'string' }],
  ['String', { type: 'string' }],
  ['Int', { type: 'integer' }],
  ['Float', { type: 'number' }],
  ['Boolean', { type: 'boolean' }],
]);

/**
 * Converts a resolver's `@Args()` to JSON Schema. Returns `undefined` if a parameter has no type, or one that JSON
 * cannot represent.
 */
function buildGraphqlSchema(classRef: object, methodName: string): JsonSchema | undefined {
  const given = findGraphqlArguments(classRef, methodName);
  if (given.length === 0) return undefined;
  const members = given.flatMap((member) =>
    member.name === undefined ? [...findGraphqlFields(member.typeFn?.()).values()] : [member],
  );
  return buildObject(members, new Set());
}

/** Finds the descriptions of individually named arguments. */
function findArgumentDescriptions(classRef: object, methodName: string): ReadonlyMap<string, string> {
  const described = findGraphqlArguments(classRef, methodName).flatMap(
    ({ name, description }): [string, string][] =>
      name === undefined || description === undefined ? [] : [[name, description]],
  );
  return new Map(described);
}

function buildObject(members: readonly GraphqlMember[], outer: ReadonlySet<unknown>): JsonSchema | undefined {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const member of members) {
    const schema = buildMember(member, outer);
    if (schema === undefined || member.name === undefined) return undefined;
    properties[member.name] = schema;
    const { nullable, defaultValue } = member.options ?? {};
    const isOptional = nullable === true || nullable === 'itemsAndList' || defaultValue !== undefined;
    if (!isOptional) required.push(member.name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function buildMember(member: GraphqlMember, outer: ReadonlySet<unknown>): JsonSchema | undefined {
  const { typeFn, description } = member;
  const schema = buildType(typeFn?.(), outer);
  if (schema === undefined) return undefined;
  const { isArray = false, arrayDepth = 1, defaultValue } = member.options ?? {};
  const listed = isArray
    ? Array.from({ length: arrayDepth }).reduce<JsonSchema>((items) => ({ type: 'array', items }), schema)
    : schema;
  const isShown = ['string', 'number', 'boolean'].includes(typeof defaultValue);
  return {
    ...listed,
    ...(description !== undefined && { description }),
    ...(isShown && { default: defaultValue }),
  };
}

/** A self-referencing class would cause infinite recursion here. */
function buildType(type: unknown, outer: ReadonlySet<unknown>): JsonSchema | undefined {
  const scalar = SCALARS.get(type);
  if (scalar !== undefined) return scalar;
  if (typeof type === 'function') return outer.has(type) ? undefined : buildClass(type as DtoClass, outer);
  if (!isObject(type)) return undefined;
  const isScalar = typeof type['parseValue'] === 'function';
  if (isScalar) return NAMED_SCALARS.get(type['name']);
  const values = listEnumValues(type);
  return values.length > 0 && values.every((value) => ['string', 'number'].includes(typeof value))
    ? describeValues(values)
    : undefined;
}

function buildClass(type: DtoClass, outer: ReadonlySet<unknown>): JsonSchema | undefined {
  if (hasValidators(type)) {
    const { jsonSchema } = compileSchema(type, 'input');
    // A schema with references to its root or its definitions cannot be nested in another schema.
    return JSON.stringify(jsonSchema).includes('"$ref"') ? undefined : jsonSchema;
  }
  const fields = [...findGraphqlFields(type).values()];
  if (fields.length === 0) return undefined;
  const built = buildObject(fields, new Set([...outer, type]));
  const description = findInputTypeDescription(type);
  return built && { ...built, ...(description !== undefined && { description }) };
}
