/** A JSON Schema document; without `$schema` it is of dialect 2020-12 (MCP 2025-11-25 basic, "JSON Schema Usage"). */
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
 * A schema of any library that follows Standard Schema with its JSON Schema side: zod 4, arktype, valibot by
 * `toStandardJsonSchema()`.
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

/** How a Standard Schema is written as JSON Schema. */
export interface StandardConversion {
  readonly target: 'draft-2020-12';
  /** Options that only the library itself knows. */
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** The outcome of a validation: a value, or issues. */
export type StandardOutcome<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One problem of a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A class whose members carry class-validator's decorators. */
export type DtoClass = new (...dependencies: never[]) => object;

/** A schema, in any of the forms that options accept. */
export type SchemaSource = StandardSchema | JsonSchema | JsonSchemaDocument | DtoClass;
