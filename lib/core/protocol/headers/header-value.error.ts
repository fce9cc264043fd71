/** A value does not fit into a header, or a header contains no valid value. It becomes a -32020 response. */
export class HeaderValueError extends Error {
  override readonly name = 'HeaderValueError';
}
