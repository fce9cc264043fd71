import { isObject } from '../../core/protocol/json-rpc.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import type { JsonSchema } from './accepted-values.js';
import { convertTexts } from './convert-value.js';

/** The sources of a call's arguments. */
export interface GivenArguments {
  /** The texts of each `key=value`, in their order. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** The object of `--json`; a `key=value` goes before its member. */
  readonly json: { readonly [name: string]: unknown };
}

/**
 * Builds the arguments of a call as the tool's schema wants them.
 *
 * @throws {UsageError} if one is missing, is not known or cannot be made what it should be, with its name
 */
export function buildArguments(
  { texts, json }: GivenArguments,
  schema: JsonSchema,
): { [name: string]: unknown } {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const converted = [...texts].map(([name, given]): [string, unknown] => {
    const property = findProperty(name, properties, schema);
    const result = convertTexts(given, property, schema);
    if ('value' in result) return [name, result.value];
    throw new UsageError(`The argument ${quoteVisible(name)} must be ${result.expected}`);
  });
  const built = Object.fromEntries([...Object.entries(json), ...converted]);
  assertComplete(built, schema);
  return built;
}

/** Keywords of schemas that combine others or restrict names. */
const OPENING = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties'];

/** A misspelt name is told here, where its neighbours are known, unless the tool takes any. */
function findProperty(name: string, properties: JsonSchema, schema: JsonSchema): unknown {
  if (Object.hasOwn(properties, name)) return properties[name];
  const additional = schema['additionalProperties'];
  if (isObject(additional)) return additional;
  const isVague = !('properties' in schema) || OPENING.some((keyword) => keyword in schema);
  if (additional === true || (additional === undefined && isVague)) return {};
  const names = Object.keys(properties);
  const known = names.length === 0 ? 'takes none' : `has ${names.map(quoteVisible).join(', ')}`;
  throw new UsageError(`The tool has no argument ${quoteVisible(name)}: it ${known}`);
}

function assertComplete(built: object, schema: JsonSchema): void {
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  const names = required.filter((name): name is string => typeof name === 'string');
  const missing = names.find((name) => !Object.hasOwn(built, name));
  if (missing !== undefined) {
    throw new UsageError(`The argument ${quoteVisible(missing)} is required, and is missing`);
  }
}
