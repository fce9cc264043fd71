/** A form asks for something that a client cannot show. */
export class FormSchemaError extends Error {
  override readonly name = 'FormSchemaError';
}
