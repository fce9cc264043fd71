import { isObject } from '../../../core/protocol/json-rpc.js';
import { findByReference } from '../../../core/protocol/json-pointer.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import { ANYTHING, intersect, type Alternative } from './alternative.js';

/** More than these no model reads, and unions of unions multiply. */
const MOST_ALTERNATIVES = 64;

/** References and unions inside one another. */
const DEEPEST = 16;

/** The text of a schema with one of these does not say where the schema is, so it is not taken apart. */
const ADDRESSES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];

/** What is put together here, or said elsewhere. */
const HANDLED: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
]);

/** Says that a schema is none that can be taken apart. */
class InseparableError extends Error {}

/**
 * Finds in how many ways an object may fit a schema, and what each of them takes.
 *
 * @returns nothing if that cannot be told, or if there are too many
 */
export function findAlternatives(root: JsonSchema): readonly Alternative[] | undefined {
  try {
    return expand(root, root, 0);
  } catch (error) {
    if (error instanceof InseparableError) return undefined;
    throw error;
  }
}

function expand(schema: unknown, root: JsonSchema, depth: number): readonly Alternative[] {
  if (schema === true) return [ANYTHING];
  if (isImpossible(schema)) return [];
  if (!isObject(schema) || depth > DEEPEST) throw new InseparableError();
  if (depth > 0 && ADDRESSES.some((keyword) => Object.hasOwn(schema, keyword))) throw new InseparableError();
  // Arguments are an object, so a schema that accepts no object is not an alternative.
  if (![schema['type'] ?? 'object'].flat().includes('object')) return [];
  const inner = (one: unknown) => expand(one, root, depth + 1);
  let found: readonly Alternative[] = [readOwn(schema, depth)];
  if ('$ref' in schema) found = multiply(found, inner(findByReference(root, schema['$ref'])));
  for (const part of listSchemas(schema['allOf'])) found = multiply(found, inner(part));
  for (const union of [schema['anyOf'], schema['oneOf']]) {
    if (union !== undefined) found = multiply(found, listSchemas(union).flatMap(inner));
  }
  return schema['unevaluatedProperties'] === false
    ? found.map((one) => ({ ...one, isClosed: !one.others.has('patternProperties') }))
    : found;
}

function multiply(some: readonly Alternative[], others: readonly Alternative[]): readonly Alternative[] {
  if (some.length * others.length > MOST_ALTERNATIVES) throw new InseparableError();
  return some.flatMap((one) => others.map((other) => intersect(one, other)));
}

function listSchemas(list: unknown): readonly unknown[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new InseparableError();
  return list;
}

function readOwn(schema: JsonSchema, depth: number): Alternative {
  const { properties = {}, required = [], additionalProperties, title, description } = schema;
  if (!isObject(properties) || !Array.isArray(required)) throw new InseparableError();
  const isClosed = additionalProperties === false;
  const text = description ?? title;
  const others = Object.entries(schema).filter(([keyword]) => !HANDLED.has(keyword));
  if (isRestricting(additionalProperties)) others.push(['additionalProperties', additionalProperties]);
  return {
    members: new Map(Object.entries(properties).filter(([, member]) => !isImpossible(member))),
    required: new Set(required.filter((name) => typeof name === 'string')),
    isClosed,
    others: new Map(others),
    // What the whole says of itself stays at the root.
    texts: depth > 0 && typeof text === 'string' ? [text] : [],
    isLoose: isRestricting(schema['unevaluatedProperties']) || Object.values(properties).some(isImpossible),
  };
}

function isRestricting(schema: unknown): boolean {
  return isObject(schema) && Object.keys(schema).length > 0;
}

/** Unions say in this way that a member is for other alternatives. */
function isImpossible(schema: unknown): boolean {
  if (schema === false) return true;
  if (!isObject(schema) || !('not' in schema)) return false;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}
