/** A JSON Schema document; without `$schema`, its dialect is 2020-12 (MCP 2025-11-25 basic, "JSON Schema Usage"). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * A JSON Schema document in the type of another library, such as `JSONSchema7`. TypeScript does not accept that
 * interface as a {@link JsonSchema}.
 */
export interface JsonSchemaDocument {
  readonly $schema?: unknown;
  readonly type?: unknown;
  readonly properties?: unknown;
}

/**
 * A schema from any library that supports both Standard Schema and its JSON Schema extension: zod 4, arktype, valibot
 * with `toStandardJsonSchema()`.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardOutcome<Output> | Promise<StandardOutcome<Output>>;
    readonly jsonSchema: {
      readonly input: (options: StandardConversion) => Record<string, unknown>;
      readonly output: (options: StandardConversion) => Record<string, unknown>;
    };
  };
}

/** The options for converting a Standard Schema to JSON Schema. */
export interface StandardConversion {
  readonly target: 'draft-2020-12';
  /** Library-specific options. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The outcome of a validation: a value, or issues. */
export type StandardOutcome<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One problem with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A class with class-validator decorators on its properties. */
export type DtoClass = new (...dependencies: never[]) => object;

/** A schema, in any of the forms that options accept. */
export type SchemaSource = StandardSchema | JsonSchema | JsonSchemaDocument | DtoClass;
