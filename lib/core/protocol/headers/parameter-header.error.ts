/** Is thrown for an `x-mcp-header` annotation that clients would reject the whole tool for. */
export class ParameterHeaderError extends Error {
  override readonly name = 'ParameterHeaderError';

  constructor(
    /** Where the annotation stands in the schema, such as `properties.region`. */
    readonly location: string,
    explanation: string,
  ) {
    super(`The annotation "x-mcp-header" at "${location}" ${explanation}`);
  }
}
