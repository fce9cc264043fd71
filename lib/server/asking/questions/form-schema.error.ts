/** Is thrown if a form has a member that clients cannot show. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}
