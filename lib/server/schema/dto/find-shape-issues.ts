import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, ValidationIssue } from '../compiled-schema.interface.js';
import { formatExpected, formatList, formatMissing, formatUnknownName } from '../issue-texts.js';
import { followReference } from '../../../core/protocol/json-pointer.js';
import { MOST_ISSUES } from '../most-issues.js';

/** Something that class-validator does not see. */
export interface ShapeIssue extends ValidationIssue {
  /** Whether it keeps the class of an object from being known, without which nothing in it can be judged. */
  readonly isUntyped?: boolean;
}

/**
 * Finds objects, arrays and names that the schema of a DTO class does not have. The library class-validator takes an array for
 * an object, a single item for an array, and lets some names of `Object.prototype` through its whitelist.
 */
export function findShapeIssues(root: JsonSchema, value: unknown): readonly ShapeIssue[] {
  const issues: ShapeIssue[] = [];
  for (const issue of walk(root, value, { root, path: [] })) {
    issues.push(issue);
    if (issues.length === MOST_ISSUES) break;
  }
  return issues;
}

interface Place {
  readonly root: JsonSchema;
  readonly path: readonly string[];
}

function* walk(described: unknown, value: unknown, place: Place): Generator<ShapeIssue> {
  const schema = followReference(place.root, described);
  if (!isObject(schema) || value === undefined) return;
  const { type } = schema;
  if (isOfSubtypes(schema, place.root)) {
    yield* walkSubtype(schema, value, place);
    return;
  }
  if (value === null) return;
  if (type === 'array' && !Array.isArray(value))
    yield createIssue(place.path, formatExpected('array', value));
  if (type === 'object' && !isObject(value)) yield createIssue(place.path, formatExpected('object', value));
  if (Array.isArray(value)) yield* walkItems(schema, value, place);
  else if (isObject(value)) yield* walkMembers(schema, value, place);
}

/** Distinguishes subtypes from alternatives that an author has written. This module does not know the latter. */
function isOfSubtypes({ properties, oneOf }: JsonSchema, root: JsonSchema): boolean {
  const [name, ...others] = isObject(properties) ? Object.keys(properties) : [];
  if (!Array.isArray(oneOf) || name === undefined || others.length > 0) return false;
  return oneOf.every((subtype) => findTag(root, subtype, name) !== undefined);
}

/** The one member that all subtypes have tells which of them an object is. */
function* walkSubtype(schema: JsonSchema, value: unknown, place: Place): Generator<ShapeIssue> {
  // It may be left out, unless it is an item.
  if (value === null && !isItem(place)) return;
  if (!isObject(value)) {
    yield { ...createIssue(place.path, formatExpected('object', value)), isUntyped: true };
    return;
  }
  const { properties, oneOf } = schema as { properties: JsonSchema; oneOf: readonly unknown[] };
  const [name = ''] = Object.keys(properties);
  const tag = value[name];
  const values = oneOf.map((subtype) => findTag(place.root, subtype, name));
  const at = values.indexOf(tag);
  if (at !== -1) {
    yield* walk(oneOf[at], value, place);
    return;
  }
  const allowed = `one of ${formatList(values)}`;
  const message = tag === undefined ? formatMissing(allowed) : formatExpected(allowed, tag);
  yield { ...createIssue([...place.path, name], message), isUntyped: true };
}

function isItem({ path }: Place): boolean {
  return /^\d+$/.test(path.at(-1) ?? '');
}

function findTag(root: JsonSchema, subtype: unknown, name: string): unknown {
  const schema = followReference(root, subtype);
  const properties = isObject(schema) ? schema['properties'] : undefined;
  const described = isObject(properties) ? properties[name] : undefined;
  return isObject(described) ? described['const'] : undefined;
}

function* walkItems(schema: JsonSchema, items: readonly unknown[], place: Place): Generator<ShapeIssue> {
  if (schema['type'] !== 'array' || !('items' in schema)) return;
  for (const [at, item] of items.entries()) {
    yield* walk(schema['items'], item, { ...place, path: [...place.path, String(at)] });
  }
}

function* walkMembers(
  schema: JsonSchema,
  object: Readonly<Record<string, unknown>>,
  place: Place,
): Generator<ShapeIssue> {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  for (const [name, member] of Object.entries(object)) {
    // JSON leaves it out.
    if (member === undefined) continue;
    const path = [...place.path, name];
    if (Object.hasOwn(properties, name)) yield* walk(properties[name], member, { ...place, path });
    else if (schema['additionalProperties'] === false) {
      yield createIssue(path, formatUnknownName(name, Object.keys(properties)));
    }
  }
}

function createIssue(path: readonly string[], message: string): ShapeIssue {
  return { path: path.join('.'), message };
}
