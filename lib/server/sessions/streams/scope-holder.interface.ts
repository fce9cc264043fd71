/** The reader of a stream, with the scopes of the token that opened it. */
export interface ScopeHolder {
  /** The scopes of the token; absent if there is none. */
  readonly scopes: ReadonlySet<string> | undefined;
}

/** Returns whether somebody has all of the given scopes. A caller without a token has none. */
export function holdsScopes(holder: ScopeHolder | undefined, scopes: readonly string[] | undefined): boolean {
  return scopes === undefined || scopes.every((scope) => holder?.scopes?.has(scope) === true);
}

/** What needs no scope needs these. */
export const NO_SCOPES: readonly string[] = Object.freeze([]);
