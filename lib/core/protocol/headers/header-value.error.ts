/** Is thrown if a value does not fit into a header, or a header holds no value. Answer it with -32020. */
export class HeaderValueError extends Error {
  override readonly name = 'HeaderValueError';
}
