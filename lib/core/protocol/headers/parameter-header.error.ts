/** An `x-mcp-header` annotation for which clients would reject the whole tool. */
export class ParameterHeaderError extends Error {
  override readonly name = 'ParameterHeaderError';

  constructor(
    /** The path of the annotation in the schema, such as `properties.region`. */
    readonly location: string,
    explanation: string,
  ) {
    super(`The annotation "x-mcp-header" at "${location}" ${explanation}`);
  }
}
