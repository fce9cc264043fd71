import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass, JsonSchema } from '../compiled-schema.interface.js';
import { compileSchema } from '../compile-schema.js';
import { describeValues, listEnumValues } from '../dto/constraint-keywords.js';
import { hasValidators } from '../dto/has-validators.js';
import {
  findGraphqlArguments,
  findGraphqlFields,
  findInputTypeDescription,
  type GraphqlMember,
} from './graphql-metadata.js';

const SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
]);

/** The scalars of GraphQL itself. Others have conversions of their own, which a call would not run. */
const NAMED_SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  ['ID', { type: 'string' }],
  ['String', { type: 'string' }],
  ['Int', { type: 'integer' }],
  ['Float', { type: 'number' }],
  ['Boolean', { type: 'boolean' }],
]);

/**
 * Says in JSON Schema what the parameters of a resolver accept by their `@Args()`. Returns `undefined` if one of them has a type
 * that JSON has not, or none at all.
 */
export function buildGraphqlSchema(classRef: object, methodName: string): JsonSchema | undefined {
  const given = findGraphqlArguments(classRef, methodName);
  if (given.length === 0) return undefined;
  const members = given.flatMap((member) =>
    member.name === undefined ? [...findGraphqlFields(member.typeFn?.()).values()] : [member],
  );
  return buildObject(members, new Set());
}

/** Finds the descriptions of arguments that are named one by one. */
export function findArgumentDescriptions(classRef: object, methodName: string): ReadonlyMap<string, string> {
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

/** A class that holds itself has no end here. */
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
    // What refers to its own root, or to definitions beside it, cannot stand inside another schema.
    return JSON.stringify(jsonSchema).includes('"$ref"') ? undefined : jsonSchema;
  }
  const fields = [...findGraphqlFields(type).values()];
  if (fields.length === 0) return undefined;
  const built = buildObject(fields, new Set([...outer, type]));
  const description = findInputTypeDescription(type);
  return built && { ...built, ...(description !== undefined && { description }) };
}
