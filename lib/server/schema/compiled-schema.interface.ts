import type { JsonSchema } from '../settings/schema-source.interface.js';

export type { DtoClass, JsonSchema, SchemaSource } from '../settings/schema-source.interface.js';

/** Whether a schema describes the input or the output of a handler. */
export type SchemaDirection = 'input' | 'output';

/** One problem of a value. */
export interface ValidationIssue {
  /** Names from the root to the property, joined with dots (`address.street`, `tags.0`); empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** The outcome of a validation: the value after the schema's conversions, or its issues. */
export type ValidationOutcome =
  | { readonly valid: true; readonly value: unknown }
  | { readonly valid: false; readonly issues: readonly ValidationIssue[] };

/** A schema of any source in the one form the rest of the library knows. */
export interface CompiledSchema {
  /** The schema as lists show it: frozen plain JSON. */
  readonly jsonSchema: JsonSchema;
  /** Checks a value without changing it; synchronous whenever the source is. */
  validate(value: unknown): ValidationOutcome | Promise<ValidationOutcome>;
}
