/** A value of a call cannot stand in the scope that the call needs. */
export class ScopeValueError extends Error {
  override readonly name = 'ScopeValueError';

  /** @param excluded a character that it may not have besides */
  constructor(
    readonly variable: string,
    longest: number,
    excluded: string | undefined,
  ) {
    const also = excluded === undefined ? '' : `, and without ${JSON.stringify(excluded)}`;
    super(
      `"${variable}" is part of a scope, so it must be a text of 1 to ${longest} printable ASCII characters without spaces, quotes and backslashes${also}, a number or a boolean`,
    );
  }
}
