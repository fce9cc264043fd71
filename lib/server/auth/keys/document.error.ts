/** Says why a document of an authorization server could not be got, by a sentence that names its URL. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';

  constructor(
    message: string,
    /** The status of the answer, if that or the body was wrong. */
    readonly status?: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
