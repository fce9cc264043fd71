import type { JsonSchema } from '../settings/schema-source.interface.js';

export type { DtoClass, JsonSchema, SchemaSource } from '../settings/schema-source.interface.js';

/** Whether a schema describes a handler's input or output. */
export type SchemaDirection = 'input' | 'output';

/** One problem with a value. */
export interface ValidationIssue {
  /** Names from the root to the property, joined with dots (`address.street`, `tags.0`); empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** The outcome of a validation: the value after the schema's conversions, or its issues. */
export type ValidationOutcome =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly issues: readonly ValidationIssue[] };

/** A schema from any source, in the one form that the rest of the library uses. */
export interface CompiledSchema {
  /** The listed form of the schema: frozen plain JSON. */
  readonly jsonSchema: JsonSchema;
  /** The schema as another server lists it; absent if it has another dialect than the protocol, or no other server. */
  readonly original?: JsonSchema | undefined;
  /** Checks a value without changing it. Synchronous whenever the source is synchronous. */
  validate(value: unknown): ValidationOutcome | Promise<ValidationOutcome>;
}
