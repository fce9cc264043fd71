import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';

/**
 * Leaves out of a property what its type says already. These are values of other types that it must not be, as with
 * `@NotEquals(null)` on a string, and keywords that come twice.
 */
export function dropImpossibleValues(schema: JsonSchema): JsonSchema {
  const { not, allOf, items, ...others } = schema;
  const parts = [{ not }, ...(Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [])];
  const kept = parts
    .map((part) => shortenNot(part, schema))
    .filter((part) => Object.keys(part).length > 0 && !isDeepStrictEqual(part, pickSame(part, others)));
  const distinct = kept.filter(
    (part, at) => kept.findIndex((other) => isDeepStrictEqual(other, part)) === at,
  );
  const first = distinct.find((part) => isDeepStrictEqual(Object.keys(part), ['not']));
  const rest = distinct.filter((part) => part !== first);
  return {
    ...others,
    ...(items !== undefined && { items: isObject(items) ? dropImpossibleValues(items) : items }),
    ...first,
    ...(rest.length > 0 && { allOf: rest }),
  };
}

function pickSame(part: JsonSchema, schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.keys(part).map((name) => [name, schema[name]]));
}

/** A `not` of anything but values stays as it is. */
function shortenNot(part: JsonSchema, schema: JsonSchema): JsonSchema {
  const { not, ...others } = part;
  if (!isObject(not)) return others;
  const [[keyword, given] = [], ...more] = Object.entries(not);
  if (more.length > 0 || (keyword !== 'const' && keyword !== 'enum')) return part;
  const values: readonly unknown[] = keyword === 'const' ? [given] : (given as readonly unknown[]);
  const possible = values.filter((value) => isPossible(value, schema));
  if (possible.length === 0) return others;
  return keyword === 'const' ? part : { ...others, not: { enum: possible } };
}

function isPossible(value: unknown, { type, enum: listed, $ref: reference }: JsonSchema): boolean {
  if (value === undefined) return false;
  if (Array.isArray(listed)) return listed.includes(value);
  if (reference !== undefined) return isObject(value);
  return (
    typeof type !== 'string' || type === nameType(value) || (type === 'integer' && Number.isInteger(value))
  );
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
