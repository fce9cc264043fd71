import { isObject } from './json-rpc.js';

/**
 * Splits a JSON Pointer into its names.
 *
 * @see RFC 6901
 */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Escapes a name for a JSON Pointer. */
export function formatPointerName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Finds the value at a JSON Pointer. Returns `undefined` if there is none. */
export function findByPointer(root: unknown, pointer: string): unknown {
  let found: unknown = root;
  for (const name of parsePointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    // An array's length is a JavaScript property, but not an item.
    if (Array.isArray(found) && name === 'length') return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Finds the target of a `$ref` in the same document. Returns `undefined` for any other reference. */
export function findByReference(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
  return findByPointer(root, decodeFragment(reference.slice(1)));
}

/** Returns a schema, or its target if it is a reference in the same document. */
export function followReference(root: unknown, schema: unknown): unknown {
  return isObject(schema) && '$ref' in schema ? findByReference(root, schema['$ref']) : schema;
}

/** Percent-decodes a fragment; a malformed one is returned unchanged. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Keywords whose value maps names to schemas. Such a name is not a keyword. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
]);

/** Keywords whose value is not a schema, even if it looks like one. */
export const VALUE_KEYWORDS: ReadonlySet<string> = new Set([
  '$vocabulary',
  'const',
  'default',
  'dependentRequired',
  'enum',
  'examples',
  'required',
]);
