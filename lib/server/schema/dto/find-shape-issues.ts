import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema, ValidationIssue } from '../compiled-schema.interface.js';
import { formatExpected, formatUnknownName } from '../issue-texts.js';
import { followReference } from '../json-pointer.js';
import { MOST_ISSUES } from '../most-issues.js';

/**
 * Finds objects, arrays and names that the schema of a DTO class does not have. class-validator takes an array for an
 * object, a single item for an array, and lets some names of `Object.prototype` through its whitelist.
 */
export function findShapeIssues(root: JsonSchema, value: unknown): readonly ValidationIssue[] {
  const issues: ValidationIssue[] = [];
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

function* walk(described: unknown, value: unknown, place: Place): Generator<ValidationIssue> {
  const schema = followReference(place.root, described);
  if (!isObject(schema) || value === undefined || value === null) return;
  const { type } = schema;
  if (type === 'array' && !Array.isArray(value))
    yield createIssue(place.path, formatExpected('array', value));
  if (type === 'object' && !isObject(value)) yield createIssue(place.path, formatExpected('object', value));
  if (Array.isArray(value)) yield* walkItems(schema, value, place);
  else if (isObject(value)) yield* walkMembers(schema, value, place);
}

function* walkItems(schema: JsonSchema, items: readonly unknown[], place: Place): Generator<ValidationIssue> {
  if (schema['type'] !== 'array' || !('items' in schema)) return;
  for (const [at, item] of items.entries()) {
    yield* walk(schema['items'], item, { ...place, path: [...place.path, String(at)] });
  }
}

function* walkMembers(
  schema: JsonSchema,
  object: Readonly<Record<string, unknown>>,
  place: Place,
): Generator<ValidationIssue> {
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

function createIssue(path: readonly string[], message: string): ValidationIssue {
  return { path: path.join('.'), message };
}
