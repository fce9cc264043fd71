import { isObject } from '../../core/protocol/json-rpc.js';
import type { JsonSchema, SchemaDirection } from './compiled-schema.interface.js';
import { formatPointerName } from '../../core/protocol/json-schema.js';
import { findForeignLibrary } from './foreign-schema.js';
import { SchemaError } from './schema.error.js';

const DEEPEST = 64;
const MOST_MEMBERS = 20_000;

/** Copies a JSON value. Properties named `__proto__` remain ordinary properties. */
export function copyJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyJson(member)]));
}

/**
 * Returns a frozen copy of a schema, which neither its author nor a reader of a list can change later.
 *
 * @throws {SchemaError} if the schema is not plain JSON, is nested more than 64 levels deep or has more than 20,000
 * values
 */
export function freezeSchema(source: object, direction: SchemaDirection): JsonSchema {
  let members = 0;

  function freeze(value: unknown, path: readonly string[]): unknown {
    members += 1;
    if (members > MOST_MEMBERS) throw SchemaError.tooLarge(direction, `more than ${MOST_MEMBERS} values`);
    if (path.length > DEEPEST) throw SchemaError.tooLarge(direction, `more than ${DEEPEST} levels`);
    if (isScalar(value)) return value;
    if (Array.isArray(value))
      return Object.freeze(value.map((item, at) => freeze(item, [...path, String(at)])));
    if (!isPlainObject(value)) throw refuse(value, path);
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.freeze(
      Object.fromEntries(entries.map(([name, member]) => freezeMember(name, member, path))),
    );
  }

  function freezeMember(name: string, member: unknown, path: readonly string[]): readonly [string, unknown] {
    const inner = [...path, name];
    if (name === '__proto__') throw SchemaError.unsafeName(direction, formatPointer(inner));
    return [name, freeze(member, inner)];
  }

  function refuse(value: unknown, path: readonly string[]): SchemaError {
    const pointer = formatPointer(path);
    if (hasStandardSchema(value)) return SchemaError.schemaAsKeyword(direction, pointer);
    const foreign = findForeignLibrary(value);
    return foreign === undefined
      ? SchemaError.notJson(direction, pointer, value)
      : SchemaError.ofForeignLibrary(direction, { ...foreign, pointer });
  }

  return freeze(source, []) as JsonSchema;
}

/** Deeply freezes a JSON value. Values that are already frozen are frozen throughout. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

/** Whether a value is an object or a function with a `~standard` property. */
export function hasStandardSchema(value: unknown): value is { readonly '~standard': unknown } {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && '~standard' in value;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** Returns whether a value is an object literal from any realm, or an object without a prototype. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function formatPointer(path: readonly string[]): string {
  return path.map((name) => `/${formatPointerName(name)}`).join('') || '/';
}

/** Finds the value at the end of a path of own properties. */
export function findByPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value;
  for (const segment of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) return undefined;
    found = (found as Readonly<Record<PropertyKey, unknown>>)[segment];
  }
  return found;
}

/** Returns a value after a round trip through JSON, or `undefined` for cycles, functions and bigints. */
export function findJsonCopy(value: unknown): unknown {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
