import { isObject } from '../protocol/json-rpc.js';
import { followReference } from '../protocol/json-pointer.js';
import { showPath } from './show.js';

/** A parameter of a tool: a property of its arguments, or of an object in them. */
export interface ReadParameter {
  readonly name: string;
  /** Its path, for example `properties.address.properties.zip`, safe to show. */
  readonly path: string;
  /** The schema of the parameter, with its reference resolved. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly description: string;
  /** The number of objects around it: 1 for a property of the arguments. */
  readonly depth: number;
}

/** An object in the arguments, or all of them. */
export interface ReadObject {
  readonly path: string;
  readonly members: ReadonlySet<string>;
  readonly required: readonly string[];
  /** Whether unlisted properties are allowed. */
  readonly isOpen: boolean;
}

/** The parts of a schema of arguments. */
export interface ReadParameters {
  readonly parameters: readonly ReadParameter[];
  readonly objects: readonly ReadObject[];
  /** Whether nothing was left out. */
  readonly isWhole: boolean;
}

/** Larger or deeper schemas of other servers are not read to their end. */
const MOST_SCHEMAS = 2_000;
/** Steps from the root: two for each object in an object. */
const LONGEST_PLACE = 64;
const MOST_HOPS = 8;

const ALTERNATIVES = ['allOf', 'anyOf', 'oneOf'];
const LISTS = ['required', ...ALTERNATIVES];

interface SchemaPosition {
  readonly schema: unknown;
  readonly path: readonly string[];
  readonly depth: number;
}

/** Reads the parameters of an input schema and of its inner objects, up to a number. A recursive schema is read once. */
export function readParameters(root: unknown, mostParameters: number): ReadParameters {
  const most = Math.min(MOST_SCHEMAS, mostParameters);
  const parameters: ReadParameter[] = [];
  const objects: ReadObject[] = [];
  const seen = new Set<object>();
  const pending: SchemaPosition[] = [{ schema: root, path: [], depth: 0 }];
  let isWhole = true;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    if (parameters.length >= most || seen.size >= MOST_SCHEMAS)
      return { parameters, objects, isWhole: false };
    const schema = resolve(root, place.schema);
    if (schema === undefined || seen.has(schema)) continue;
    const isDeep = place.path.length > LONGEST_PLACE;
    isWhole &&= !isDeep && !isTooLong(schema);
    if (isDeep) continue;
    seen.add(schema);
    const members = readMembers(root, schema, place);
    parameters.push(...members.map(({ parameter }) => parameter));
    if (isObject(schema['properties']) || Array.isArray(schema['required']))
      objects.push(readShape(schema, place));
    pending.push(...listInner(schema, place), ...members.map(({ inner }) => inner).toReversed());
  }
  return { parameters, objects, isWhole };
}

/** Returns whether a list in a schema is longer than what is read. */
function isTooLong(schema: Readonly<Record<string, unknown>>): boolean {
  return LISTS.some((keyword) => {
    const list = schema[keyword];
    return Array.isArray(list) && list.length > MOST_SCHEMAS;
  });
}

function readMembers(
  root: unknown,
  { properties }: Readonly<Record<string, unknown>>,
  { path, depth }: SchemaPosition,
) {
  if (!isObject(properties)) return [];
  return Object.keys(properties)
    .slice(0, MOST_SCHEMAS)
    .map((name) => {
      const given = properties[name];
      const resolved = resolve(root, given);
      // Keywords next to a reference belong to this parameter.
      const schema = { ...resolved, ...(isObject(given) && given) };
      const inner = [...path, 'properties', name];
      const { description } = schema;
      return {
        inner: { schema: given, path: inner, depth: depth + 1 },
        parameter: {
          name,
          path: showPath(inner),
          schema,
          description: typeof description === 'string' ? description : '',
          depth: depth + 1,
        },
      };
    });
}

function readShape(schema: Readonly<Record<string, unknown>>, { path }: SchemaPosition): ReadObject {
  const { properties, required, patternProperties, additionalProperties } = schema;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const isUnion = ALTERNATIVES.some((keyword) => keyword in schema);
  return {
    path: showPath(path),
    members: new Set(isObject(properties) ? Object.keys(properties) : []),
    required: names.slice(0, MOST_SCHEMAS).filter((name) => typeof name === 'string'),
    isOpen: patternProperties !== undefined || isObject(additionalProperties) || isUnion,
  };
}

/** Array items and alternatives have the depth of the parameter itself. */
function listInner(
  schema: Readonly<Record<string, unknown>>,
  { path, depth }: SchemaPosition,
): SchemaPosition[] {
  const inner: SchemaPosition[] = [];
  const { items } = schema;
  if (isObject(items)) inner.push({ schema: items, path: [...path, 'items'], depth });
  for (const keyword of ALTERNATIVES) {
    const alternatives = schema[keyword];
    if (!Array.isArray(alternatives)) continue;
    for (const [index, one] of alternatives.slice(0, MOST_SCHEMAS).entries())
      inner.push({ schema: one, path: [...path, keyword, String(index)], depth });
  }
  return inner;
}

function resolve(root: unknown, given: unknown): Readonly<Record<string, unknown>> | undefined {
  let schema = given;
  for (let hop = 0; hop < MOST_HOPS && isObject(schema) && typeof schema['$ref'] === 'string'; hop += 1)
    schema = followReference(root, schema);
  return isObject(schema) ? schema : undefined;
}
