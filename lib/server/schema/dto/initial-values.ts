import type { DtoClass, SchemaDirection } from '../compiled-schema.interface.js';
import { SchemaError } from '../schema.error.js';

/**
 * Creates an instance: what the properties' initialisers leave in it is what an absent argument becomes.
 *
 * @throws {SchemaError} when the class cannot be made without arguments
 */
export function createSample(
  target: DtoClass,
  direction: SchemaDirection,
): Readonly<Record<string, unknown>> {
  try {
    return new target() as Readonly<Record<string, unknown>>;
  } catch (cause) {
    throw SchemaError.notConstructible(direction, target.name, cause);
  }
}

/** Tells whether an initial value can be shown as a default. */
export function isListable(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isScalar) : isScalar(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
