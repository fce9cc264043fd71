import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { resolveReference, type JsonSchema } from '../call/accepted-values.js';
import { listRequired } from '../call/build-arguments.js';

/** The members of an object, as one alternative of its schema has them. */
export interface Shape {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: ReadonlySet<string>;
}

/** A reader has seen enough after that. */
const MOST_SHAPES = 8;
const DEEPEST = 8;

/** One that has itself among several alternatives would be looked at without end. */
const MOST_SCHEMAS = 200;

interface Search {
  readonly root: JsonSchema;
  /** How many schemas may still be looked at. */
  left: number;
}

/** Lists the alternatives of an object that has members, behind references, combinations and lists. */
export function listShapes(schema: unknown, root: JsonSchema): readonly Shape[] {
  return collectShapes(schema, { root, left: MOST_SCHEMAS }, 0)
    .filter(({ properties }) => properties.size > 0)
    .slice(0, MOST_SHAPES);
}

function collectShapes(given: unknown, search: Search, depth: number): readonly Shape[] {
  const schema = resolveReference(given, search.root);
  search.left -= 1;
  if (schema === undefined || depth > DEEPEST || search.left < 0) return [];
  const collect = (one: unknown) => collectShapes(one, search, depth + 1).slice(0, MOST_SHAPES);
  const own = readShape(schema);
  const parts = list(schema['allOf']).flatMap((part) => collect(part).slice(0, 1));
  const whole = [own, ...parts].reduce(join);
  const alternatives = [...list(schema['anyOf']), ...list(schema['oneOf'])]
    .slice(0, MOST_SHAPES)
    .flatMap(collect);
  if (alternatives.length > 0) return alternatives.map((one) => join(whole, one));
  if (whole.properties.size > 0 || !isObject(schema['items'])) return [whole];
  return collect(schema['items']);
}

function readShape(schema: JsonSchema): Shape {
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return { properties: new Map(properties), required: new Set(listRequired(schema)) };
}

function join(one: Shape, other: Shape): Shape {
  return {
    properties: new Map([...one.properties, ...other.properties]),
    required: new Set([...one.required, ...other.required]),
  };
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
