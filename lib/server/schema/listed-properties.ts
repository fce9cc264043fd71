import { isObject } from '../../core/protocol/json-rpc.js';
import type { JsonSchema } from './compiled-schema.interface.js';
import { followReference } from '../../core/protocol/json-schema.js';

/** A value's property, as described by all alternatives of its schema. */
export interface ListedProperty {
  /** The values that it may have, if the schema lists them. */
  readonly values: readonly unknown[];
  /** Whether it is a date and time in every alternative. */
  readonly isDate: boolean;
  /** Its types in all alternatives, except `null`. Empty if the schema does not specify them. */
  readonly types: readonly unknown[];
}

/** Finds a property's schema, in all alternatives that may have it. Returns `undefined` if there is none. */
export function findListedProperty(
  schema: JsonSchema,
  path: readonly PropertyKey[],
): ListedProperty | undefined {
  const found = path.reduce(
    (outer, segment) =>
      listAlternatives(
        schema,
        outer.map((one) => findSchema(one, segment)),
      ),
    listAlternatives(schema, [schema]),
  );
  if (found.length === 0) return undefined;
  const present = found.filter(({ type }) => type !== 'null');
  return {
    values: found.flatMap(listValues),
    isDate: present.every(({ format }) => format === 'date-time'),
    types: present.every(({ type }) => type !== undefined)
      ? present.flatMap(({ type }) => type).filter((type) => type !== 'null')
      : [],
  };
}

function findSchema({ properties, items }: JsonSchema, segment: PropertyKey): unknown {
  if (isObject(properties) && Object.hasOwn(properties, segment)) return properties[String(segment)];
  return /^\d+$/.test(String(segment)) ? items : undefined;
}

/** Lists each schema once, because nested alternatives that share parts would double with each name in a path. */
function listAlternatives(root: JsonSchema, described: readonly unknown[]): readonly JsonSchema[] {
  const found = new Set(described.map((one) => followReference(root, one)));
  const listed: JsonSchema[] = [];
  // The iteration includes schemas that are added during the loop.
  for (const schema of found) {
    if (!isObject(schema)) continue;
    const inner = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((list) =>
      Array.isArray(list) ? (list as readonly unknown[]) : [],
    );
    for (const one of inner) found.add(followReference(root, one));
    if (inner.length === 0 || 'properties' in schema) listed.push(schema);
  }
  return listed;
}

function listValues({ const: only, enum: values }: JsonSchema): readonly unknown[] {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? values : [];
}

/** An object's properties, as its schema describes them. */
export interface ListedObject {
  readonly names: readonly string[];
  readonly required: readonly unknown[];
  /** Whether the object allows no other properties. */
  readonly isClosed: boolean;
}

/**
 * Finds the schema for an object inside a value.
 *
 * @param path names and positions from the value's root to the object
 * @returns `undefined` if no object is described, or if its schema is too complex
 */
export function findListedObject(schema: JsonSchema, path: readonly PropertyKey[]): ListedObject | undefined {
  const found = path.reduce<unknown>((outer, segment) => findProperty(schema, outer, segment), schema);
  const object = followReference(schema, found);
  if (!isObject(object) || object['type'] !== 'object') return undefined;
  const { properties, required, additionalProperties } = object;
  return {
    names: isObject(properties) ? Object.keys(properties) : [],
    required: Array.isArray(required) ? required : [],
    isClosed: additionalProperties === false,
  };
}

function findProperty(root: JsonSchema, schema: unknown, segment: PropertyKey): unknown {
  const object = followReference(root, schema);
  if (!isObject(object)) return undefined;
  const { properties, items } = object;
  if (isObject(properties) && Object.hasOwn(properties, segment)) return properties[String(segment)];
  return /^\d+$/.test(String(segment)) ? items : undefined;
}
