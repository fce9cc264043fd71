/** A value of a call cannot be part of the scope that the call requires. */
export class ScopeValueError extends Error {
  override readonly name = 'ScopeValueError';

  /** @param excluded a further character that it must not contain */
  constructor(
    readonly variable: string,
    longest: number,
    excluded: string | undefined,
  ) {
    const also = excluded === undefined ? '' : `, and without ${JSON.stringify(excluded)}`;
    super(
      `"${variable}" is part of a scope, so it must be a string of 1 to ${longest} printable ASCII characters without spaces, quotes and backslashes${also}, a number or a boolean`,
    );
  }
}
