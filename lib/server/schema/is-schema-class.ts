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

/** Tells whether a type from TypeScript's metadata is one of the language, such as that of every interface. */
export function isNativeType(type: unknown): boolean {
  return NATIVE_TYPES.has(type);
}

/** Tells whether a type from TypeScript's metadata describes its values itself, as a DTO class or with a schema. */
export function isSchemaClass(type: unknown): type is DtoClass {
  if (typeof type !== 'function' || isNativeType(type)) return false;
  return hasStandardSide(type) || findStaticSchema(type) !== undefined || hasValidators(type as DtoClass);
}
