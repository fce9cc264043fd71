/** Is thrown if a form asks for something that clients cannot show. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}
