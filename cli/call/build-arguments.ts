import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import type { JsonSchema } from './accepted-values.js';
import { convertTexts } from './convert-value.js';

/** The sources of a call's arguments. */
export interface GivenArguments {
  /** The values of each `key=value`, in order. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The object from `--json`. A `key=value` overrides its property. */
  readonly json: { readonly [name: string]: unknown };
}

/** A property of the schema, or why there is none. */
type Found = { readonly property: unknown } | { readonly complaint: string };

/**
 * Builds the arguments of a call according to the tool's input schema.
 *
 * @throws {UsageError} with a line for each argument that is missing, unknown or invalid
 */
export function buildArguments(
  { texts, json }: GivenArguments,
  schema: JsonSchema,
): { [name: string]: unknown } {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const complaints: string[] = [];
  const converted: [string, unknown][] = [];
  for (const [name, given] of texts) {
    const found = findProperty(name, properties, schema);
    const result = 'property' in found ? convertTexts(given, found.property, schema) : found;
    if ('value' in result) converted.push([name, result.value]);
    else if ('complaint' in result) complaints.push(result.complaint);
    else complaints.push(`The argument ${quoteVisible(name)} must be ${result.expected}`);
  }
  const given = { ...json, ...Object.fromEntries(texts) };
  const missing = listRequired(schema).filter((name) => !Object.hasOwn(given, name));
  complaints.push(...missing.map((name) => `The argument ${quoteVisible(name)} is required`));
  if (complaints.length > 0) throw new UsageError(complaints.join('\n'));
  return Object.fromEntries([...Object.entries(json), ...converted]);
}

/** Keywords of schemas that combine others or restrict names. */
const OPENING = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'];

/** Suggests the closest name for a misspelled one, unless the tool accepts additional properties. */
function findProperty(name: string, properties: JsonSchema, schema: JsonSchema): Found {
  if (Object.hasOwn(properties, name)) return { property: properties[name] };
  const additional = schema['additionalProperties'];
  if (isObject(additional)) return { property: additional };
  const isVague = !('properties' in schema) || OPENING.some((keyword) => keyword in schema);
  if (additional === true || (additional === undefined && isVague)) return { property: {} };
  const names = Object.keys(properties);
  const known = names.length === 0 ? 'has none' : `has ${names.map(quoteVisible).join(', ')}`;
  return { complaint: `The tool has no argument ${quoteVisible(name)}: it ${known}` };
}

/** Lists the names that a schema requires. */
export function listRequired(schema: JsonSchema): readonly string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return required.filter((name): name is string => typeof name === 'string');
}
