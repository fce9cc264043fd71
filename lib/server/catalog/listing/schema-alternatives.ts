import { isObject } from '../../../core/protocol/json-rpc.js';
import { findByReference } from '../../../core/protocol/json-schema.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';
import { isDeepStrictEqual } from 'node:util';
import { HEADER_ANNOTATION } from '../../../core/protocol/headers/parameter-headers.js';

/** Models do not read more alternatives than this, and nested unions multiply. */
const MOST_ALTERNATIVES = 64;

/** The nesting depth of references and unions. */
const DEEPEST = 16;

/** A schema with one of these keywords may depend on its location, so it is not split. */
const ADDRESSES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];

/** Keywords that are merged here or elsewhere. */
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

/** Thrown for a schema that cannot be split into alternatives. */
class AlternativesError extends Error {}

/**
 * Finds the alternatives of an object's schema.
 *
 * @returns `undefined` if the alternatives cannot be determined, or if there are too many
 */
export function findAlternatives(root: JsonSchema): readonly Alternative[] | undefined {
  try {
    return expand(root, root, 0);
  } catch (error) {
    if (error instanceof AlternativesError) return undefined;
    throw error;
  }
}

function expand(schema: unknown, root: JsonSchema, depth: number): readonly Alternative[] {
  if (schema === true) return [ANYTHING];
  if (isImpossible(schema)) return [];
  if (!isObject(schema) || depth > DEEPEST) throw new AlternativesError();
  if (depth > 0 && ADDRESSES.some((keyword) => Object.hasOwn(schema, keyword))) throw new AlternativesError();
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
  if (some.length * others.length > MOST_ALTERNATIVES) throw new AlternativesError();
  return some.flatMap((one) => others.map((other) => intersect(one, other)));
}

function listSchemas(list: unknown): readonly unknown[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new AlternativesError();
  return list;
}

function readOwn(schema: JsonSchema, depth: number): Alternative {
  const { properties = {}, required = [], additionalProperties, title, description } = schema;
  if (!isObject(properties) || !Array.isArray(required)) throw new AlternativesError();
  const isClosed = additionalProperties === false;
  const text = description ?? title;
  const others = Object.entries(schema).filter(([keyword]) => !HANDLED.has(keyword));
  if (isRestricting(additionalProperties)) others.push(['additionalProperties', additionalProperties]);
  return {
    members: new Map(Object.entries(properties).filter(([, member]) => !isImpossible(member))),
    required: new Set(required.filter((name) => typeof name === 'string')),
    isClosed,
    others: new Map(others),
    // The root's description stays at the root.
    descriptions: depth > 0 && typeof text === 'string' ? [text] : [],
    isLoose: isRestricting(schema['unevaluatedProperties']) || Object.values(properties).some(isImpossible),
  };
}

function isRestricting(schema: unknown): boolean {
  return isObject(schema) && Object.keys(schema).length > 0;
}

/** Unions mark the properties of other alternatives this way. */
function isImpossible(schema: unknown): boolean {
  if (schema === false) return true;
  if (!isObject(schema) || !('not' in schema)) return false;
  const { not } = schema;
  return not === true || (isObject(not) && Object.keys(not).length === 0);
}

/** Property schemas, keyed by name. */
export type Members = ReadonlyMap<string, unknown>;

/** One alternative of an object schema, without unions, intersections and references. */
export interface Alternative {
  readonly members: Members;
  readonly required: ReadonlySet<string>;
  /** Whether other properties are refused. */
  readonly isClosed: boolean;
  /** Every other keyword. */
  readonly others: Members;
  /** The author's descriptions of this alternative. */
  readonly descriptions: readonly string[];
  /** Whether a part is omitted, in which case the alternative accepts more than the original schema. */
  readonly isLoose: boolean;
}

/** Accepts any object. */
const ANYTHING: Alternative = {
  members: new Map(),
  required: new Set(),
  isClosed: false,
  others: new Map(),
  descriptions: [],
  isLoose: false,
};

/** Returns the intersection of two alternatives, which accepts every object that matches both. */
function intersect(first: Alternative, second: Alternative): Alternative {
  const members = intersectMaps(first.members, second.members, intersectMembers);
  const others = intersectMaps(first.others, second.others, keepSame);
  const isLoose =
    [first, second].some((one) => one.isLoose) ||
    others.size < new Set([...first.others.keys(), ...second.others.keys()]).size;
  const coversSecond = covers(first, second);
  const coversFirst = covers(second, first);
  return {
    members,
    others,
    required: new Set([...first.required, ...second.required]),
    isClosed:
      (first.isClosed && second.isClosed) ||
      (first.isClosed && coversSecond) ||
      (second.isClosed && coversFirst),
    descriptions: [...first.descriptions, ...second.descriptions],
    // A closed alternative refuses the properties of the other one. They are still listed.
    isLoose: isLoose || (first.isClosed && !coversSecond) || (second.isClosed && !coversFirst),
  };
}

function covers(outer: Alternative, inner: Alternative): boolean {
  return [...inner.members.keys()].every((name) => outer.members.has(name));
}

function intersectMaps(
  first: Members,
  second: Members,
  merge: (one: unknown, other: unknown) => unknown,
): Members {
  const merged = new Map(first);
  for (const [name, value] of second) {
    const both = merged.has(name) ? merge(merged.get(name), value) : value;
    if (both === undefined) merged.delete(name);
    else merged.set(name, both);
  }
  return merged;
}

function keepSame(one: unknown, other: unknown): unknown {
  return isDeepStrictEqual(one, other) ? one : undefined;
}

/** Equal schemas are merged; otherwise, a value must match both. */
function intersectMembers(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other) || other === true) return one;
  if (one === true) return other;
  const values = listValues(one);
  if (values.length > 0 && isFixed(other)) return fixTo(findShared(values, listValues(other)), one, other);
  // Clients look for it on the property itself, so keywords next to it stay there.
  if (isSchema(one) && HEADER_ANNOTATION in one)
    return isFixed(other) ? { ...one, ...(other as object) } : one;
  if (isPlain(one) && isPlain(other)) {
    const differing = Object.keys(one).filter(
      (keyword) => Object.hasOwn(other, keyword) && !isDeepStrictEqual(one[keyword], other[keyword]),
    );
    const fixes = isFixed(other);
    const isMendable = (keyword: string): boolean => WORDS.has(keyword) || (fixes && keyword === 'type');
    if (differing.every(isMendable)) return { ...one, ...other };
  }
  return { allOf: [one, other] };
}

/** Keywords that only describe. */
const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', '$comment']);

/** A keyword's meaning may depend on its neighbors, so these schemas are not merged. */
const DEPENDENT = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems', 'if', '$id'];

function isPlain(schema: unknown): schema is JsonSchema {
  return isSchema(schema) && !DEPENDENT.some((keyword) => Object.hasOwn(schema, keyword));
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null;
}

/** Merges two schemas that list values. */
function fixTo(values: readonly unknown[], one: unknown, other: unknown): JsonSchema {
  const { const: _, ...first } = Object(one) as JsonSchema;
  const { const: __, ...second } = Object(other) as JsonSchema;
  return { ...first, ...second, enum: values };
}

function findShared(values: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const shared = values.filter((value) => others.includes(value));
  return shared.length > 0 ? shared : others;
}

/** Returns whether a schema lists its values. */
function isFixed(schema: unknown): boolean {
  return isSchema(schema) && ('const' in schema || 'enum' in schema);
}

/** The property that identifies alternatives, and the values for each. */
export interface Discriminator {
  readonly name: string;
  readonly values: readonly (readonly unknown[])[];
}

/** Finds the property that identifies alternatives: each requires it, and their values do not overlap. */
export function findDiscriminator(alternatives: readonly Alternative[]): Discriminator | undefined {
  const [first] = alternatives;
  if (first === undefined || alternatives.length < 2) return undefined;
  for (const name of first.members.keys()) {
    const values = alternatives.map((one) =>
      one.required.has(name) ? listValues(one.members.get(name)) : [],
    );
    const all = values.flat();
    const isTelling = values.every(({ length }) => length > 0) && new Set(all).size === all.length;
    if (isTelling) return { name, values };
  }
  return undefined;
}

/** Returns a schema's listed values, if all are scalars. */
export function listValues(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const values: readonly unknown[] =
    'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [];
  return values.every(isScalar) ? values : [];
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
