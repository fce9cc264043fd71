/** Is thrown for a value that no header can carry, or a header that carries none; answer it with -32020. */
export class HeaderValueError extends Error {
  override readonly name = 'HeaderValueError';
}
