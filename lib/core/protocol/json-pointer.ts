import { isObject } from './json-rpc.js';

/**
 * Splits a JSON Pointer into the names it walks through.
 *
 * @see RFC 6901
 */
export function parsePointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Writes a name as a part of a JSON Pointer. */
export function formatPointerName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Finds what a JSON Pointer leads to, or nothing. */
export function findByPointer(root: unknown, pointer: string): unknown {
  let found: unknown = root;
  for (const name of parsePointer(pointer)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    // The length of an array is a property of it, and none of its items.
    if (Array.isArray(found) && name === 'length') return undefined;
    found = (found as Readonly<Record<string, unknown>>)[name];
  }
  return found;
}

/** Finds what a `$ref` of the same document leads to, or nothing for any other reference. */
export function findByReference(root: unknown, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
  return findByPointer(root, decodeFragment(reference.slice(1)));
}

/** Gives a schema, or what it refers to in the same document. */
export function followReference(root: unknown, schema: unknown): unknown {
  return isObject(schema) && '$ref' in schema ? findByReference(root, schema['$ref']) : schema;
}

/** Undoes the percent encoding of a fragment; one that is badly encoded stays as it is. */
export function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
