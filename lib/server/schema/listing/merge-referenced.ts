import { isObject } from '../../../core/protocol/json-rpc.js';
import type { JsonSchema } from '../compiled-schema.interface.js';

/** Keywords that say something and check nothing: beside a `$ref` they are about the place, and hold there. */
const ANNOTATIONS = new Set([
  '$comment',
  'default',
  'deprecated',
  'description',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
]);

/** Keywords that depend on their neighbors and must not be merged. */
const DEPENDENT = new Set([
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'maxContains',
  'minContains',
  'patternProperties',
  'prefixItems',
  'properties',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/**
 * Merges the target of a `$ref` with the keywords next to it.
 *
 * @param isDraft7 whether nothing beside a `$ref` is checked
 */
export function mergeReferenced(target: unknown, siblings: JsonSchema, isDraft7: boolean): unknown {
  const shown = isDraft7 ? Object.entries(siblings).filter(([name]) => isAnnotation(name)) : undefined;
  const beside = shown === undefined ? siblings : Object.fromEntries(shown);
  const names = Object.keys(beside);
  if (names.length === 0) return target;
  if (isObject(target) && names.every((name) => isAnnotation(name) || joins(name, target))) {
    return { ...target, ...beside };
  }
  const others: readonly unknown[] = Array.isArray(beside['allOf']) ? beside['allOf'] : [];
  return { ...beside, allOf: [...others, target] };
}

/** Tells whether a keyword says something and checks nothing. */
export function isAnnotation(name: string): boolean {
  return ANNOTATIONS.has(name) || name.startsWith('x-') || name.startsWith('~');
}

function joins(name: string, target: JsonSchema): boolean {
  return !(name in target) && !DEPENDENT.has(name);
}
