import { findStaticSchema } from './compile-schema.js';
import type { DtoClass } from './compiled-schema.interface.js';
import { hasValidators } from './dto/has-validators.js';
import { hasStandardSide } from './json.js';

/** The metadata that TypeScript writes for types that are not classes of the application. */
const NATIVE_TYPES = new Set<unknown>([
  Array,
  BigInt,
  Boolean,
  Date,
  Function,
  Map,
  Number,
  Object,
  Promise,
  Set,
  String,
  Symbol,
]);

/** The types of values that are no object with members. */
const PLAIN_TYPES = new Set<unknown>([Array, BigInt, Boolean, Date, Number, String]);

/** Tells whether a type from TypeScript's metadata is that of a single value, or of a list. */
export function isPlainType(type: unknown): type is { readonly name: string } {
  return PLAIN_TYPES.has(type);
}

/** Tells whether a type from TypeScript's metadata is a class that says nothing of its values. */
export function isUndescribedClass(type: unknown): type is DtoClass {
  return typeof type === 'function' && !NATIVE_TYPES.has(type) && !isSchemaClass(type);
}

/** Tells whether a type from TypeScript's metadata describes its values itself, as a DTO class or with a schema. */
export function isSchemaClass(type: unknown): type is DtoClass {
  if (typeof type !== 'function' || NATIVE_TYPES.has(type)) return false;
  return hasStandardSide(type) || findStaticSchema(type) !== undefined || hasValidators(type as DtoClass);
}
