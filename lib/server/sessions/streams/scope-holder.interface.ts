/** The reader of a stream, with the scopes of the token that opened it. */
export interface ScopeHolder {
  /** The token's scopes; absent if there is none. */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** Returns whether a reader has all of the given scopes. A reader without a token has none. */
export function holdsScopes(holder: ScopeHolder | undefined, scopes: readonly string[] | undefined): boolean {
  return scopes === undefined || scopes.every((scope) => holder?.scopes?.has(scope) === true);
}

/** The scopes for messages that require none. */
export const NO_SCOPES: readonly string[] = Object.freeze([]);
