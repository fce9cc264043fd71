import type { Access, CatalogEntry } from './entries.js';

/** An entry with its declared access. */
interface Guarded {
  readonly access?: Access;
  readonly usedBy?: () => readonly CatalogEntry[];
}

/** The caller that requests an entry. */
export interface AccessCaller {
  /** Entries hidden from the caller. @default none */
  readonly hidden?: ReadonlySet<object> | undefined;
  /** Returns whether the caller has a scope. @default the caller has none */
  readonly hasScope?: ((scope: string) => boolean) | undefined;
}

/**
 * Lists the entries that determine who may use an entry: the entry itself, or the entries that use it. Access to one
 * of them is enough.
 */
export function listAccessPaths<Entry extends Guarded>(entry: Entry): readonly (Entry | CatalogEntry)[] {
  return entry.usedBy?.() ?? [entry];
}

/**
 * Selects the access that applies to an entry. Returns `undefined` if any token is sufficient. An entry that others
 * use has several alternatives. The one with the fewest missing scopes applies, so no permitted caller is refused,
 * and a challenge names as few scopes as possible. Hidden alternatives are skipped; the calling code has checked that
 * one is visible.
 */
export function selectLeastAccess(
  entry: Guarded,
  { hidden, hasScope = hasNoScope }: AccessCaller = {},
): Access | undefined {
  if (entry.usedBy === undefined) return entry.access;
  let least = Infinity;
  let found: Access | undefined;
  for (const user of entry.usedBy()) {
    if (hidden?.has(user) === true) continue;
    const missing = countMissing(user.access, hasScope);
    if (missing >= least) continue;
    least = missing;
    found = withoutDynamic(user.access);
  }
  return found;
}

/** A public entry is preferred to one that requires a token. */
function countMissing(access: Access | undefined, hasScope: (scope: string) => boolean): number {
  if (access === undefined) return 0;
  return access.isPublic ? -1 : access.scopes.filter((scope) => !hasScope(scope)).length;
}

/** Call-dependent scopes are requested only with the call itself. */
function withoutDynamic(access: Access | undefined): Access | undefined {
  return access?.dynamic === undefined ? access : { scopes: access.scopes, isPublic: access.isPublic };
}

function hasNoScope(): boolean {
  return false;
}
