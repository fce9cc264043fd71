import { isDeepStrictEqual } from 'node:util';
import { HEADER_ANNOTATION } from '../../../core/protocol/headers/parameter-headers.js';
import { listValues } from './list-values.js';
import type { JsonSchema } from '../../settings/schema-source.interface.js';

/** Schemas of members by their names. */
export type Members = ReadonlyMap<string, unknown>;

/** One alternative of an object's schema, without unions, intersections and references. */
export interface Alternative {
  readonly members: Members;
  readonly required: ReadonlySet<string>;
  /** Whether members of other names are refused. */
  readonly isClosed: boolean;
  /** Every other keyword. */
  readonly others: Members;
  /** What the author says of it in particular. */
  readonly texts: readonly string[];
  /** Whether a part is left out, so that it accepts more than the original schema. */
  readonly isLoose: boolean;
}

/** Takes any object. */
export const ANYTHING: Alternative = {
  members: new Map(),
  required: new Set(),
  isClosed: false,
  others: new Map(),
  texts: [],
  isLoose: false,
};

/** Returns the alternative for objects that fit both; it takes no less than these. */
export function intersect(first: Alternative, second: Alternative): Alternative {
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
    texts: [...first.texts, ...second.texts],
    // A closed part refuses the members of the other one. They are still listed.
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

/** What both say stands once; if they differ, a value has to fit the two. */
function intersectMembers(one: unknown, other: unknown): unknown {
  if (isDeepStrictEqual(one, other) || other === true) return one;
  if (one === true) return other;
  const values = listValues(one);
  if (values.length > 0 && isFixed(other)) return fixTo(findShared(values, listValues(other)), one, other);
  // Clients look for it at the member itself, so keywords next to it stay there.
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

/** Keywords that say something to readers alone. */
const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'examples', 'default', '$comment']);

/** The meaning of a keyword may depend on its neighbors, so these schemas are not merged. */
const DEPENDENT = ['additionalProperties', 'unevaluatedProperties', 'items', 'unevaluatedItems', 'if', '$id'];

function isPlain(schema: unknown): schema is JsonSchema {
  return isSchema(schema) && !DEPENDENT.some((keyword) => Object.hasOwn(schema, keyword));
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null;
}

/** Returns what two schemas of values say together. */
function fixTo(values: readonly unknown[], one: unknown, other: unknown): JsonSchema {
  const { const: _, ...first } = Object(one) as JsonSchema;
  const { const: __, ...second } = Object(other) as JsonSchema;
  return { ...first, ...second, enum: values };
}

function findShared(values: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const shared = values.filter((value) => others.includes(value));
  return shared.length > 0 ? shared : others;
}

/** Tells whether a schema names the values that it takes. */
function isFixed(schema: unknown): boolean {
  return isSchema(schema) && ('const' in schema || 'enum' in schema);
}
