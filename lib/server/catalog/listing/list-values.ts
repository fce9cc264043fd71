import { isObject } from '../../../core/protocol/json-rpc.js';

/** Returns the values that a schema takes, if these are few and simple; else none. */
export function listValues(schema: unknown): readonly unknown[] {
  if (!isObject(schema)) return [];
  const values: readonly unknown[] =
    'const' in schema ? [schema['const']] : Array.isArray(schema['enum']) ? schema['enum'] : [];
  return values.every(isScalar) ? values : [];
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
