import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';
import { followReference } from '../json-pointer.js';

/** What a schema says of one member of a value, in any of its alternatives. */
export interface ListedMember {
  /** The values that it may have, if these are all told. */
  readonly values: readonly unknown[];
  /** Whether it is a date and time in every alternative. */
  readonly isDate: boolean;
}

/** Finds what a schema says of a member, through the alternatives that it may be in; nothing if it says nothing. */
export function findListedMember(schema: JsonSchema, path: readonly PropertyKey[]): ListedMember | undefined {
  const found = path.reduce<readonly JsonSchema[]>(
    (outer, segment) => outer.flatMap((one) => listMembers(schema, one, segment)),
    listAlternatives(schema, schema),
  );
  if (found.length === 0) return undefined;
  const present = found.filter(({ type }) => type !== 'null');
  return { values: found.flatMap(listValues), isDate: present.every(({ format }) => format === 'date-time') };
}

function listMembers(root: JsonSchema, schema: JsonSchema, segment: PropertyKey): readonly JsonSchema[] {
  const { properties, items } = schema;
  if (isObject(properties) && Object.hasOwn(properties, segment)) {
    return listAlternatives(root, properties[String(segment)]);
  }
  return /^\d+$/.test(String(segment)) ? listAlternatives(root, items) : [];
}

const DEEPEST = 16;

function listAlternatives(root: JsonSchema, described: unknown, depth = 0): readonly JsonSchema[] {
  const schema = followReference(root, described);
  if (!isObject(schema) || depth > DEEPEST) return [];
  const inner = [schema['anyOf'], schema['oneOf'], schema['allOf']].flatMap((list) =>
    Array.isArray(list) ? (list as readonly unknown[]) : [],
  );
  const listed = inner.flatMap((one) => listAlternatives(root, one, depth + 1));
  return inner.length === 0 || 'properties' in schema ? [schema, ...listed] : listed;
}

function listValues({ const: only, enum: values }: JsonSchema): readonly unknown[] {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? values : [];
}
