import type { Access, CatalogEntry } from './entries.js';

/** An entry, as far as it says who may use it. */
interface Guarded {
  readonly access?: Access;
  readonly through?: () => readonly CatalogEntry[];
}

/** Who asks for an entry. */
export interface Seeker {
  /** Entries that are hidden from the caller. @default none */
  readonly hidden?: ReadonlySet<object> | undefined;
  /** Tells whether the caller has a scope. @default nobody has any */
  readonly holds?: ((scope: string) => boolean) | undefined;
}

/** Lists the entries that decide who may use an entry: the entry itself, or those that use it. One of them is enough. */
export function listWays<Entry extends Guarded>(entry: Entry): readonly (Entry | CatalogEntry)[] {
  return entry.through?.() ?? [entry];
}

/**
 * Finds what it takes to use an entry. Returns `undefined` if any token will do. Of several ways, it is the one with the
 * fewest missing scopes. So nobody who may use the entry is refused, and others are asked for as little as possible. Its
 * callers have checked that one way is visible. If all are hidden, it finds nothing.
 */
export function findAccess(entry: Guarded, { hidden, holds = holdsNone }: Seeker = {}): Access | undefined {
  if (entry.through === undefined) return entry.access;
  let least = Infinity;
  let found: Access | undefined;
  for (const way of entry.through()) {
    if (hidden?.has(way) === true) continue;
    const missing = countMissing(way.access, holds);
    if (missing >= least) continue;
    least = missing;
    found = withoutDynamic(way.access);
  }
  return found;
}

/** An entry that needs no token comes before one that does. */
function countMissing(access: Access | undefined, holds: (scope: string) => boolean): number {
  if (access === undefined) return 0;
  return access.isPublic ? -1 : access.scopes.filter((scope) => !holds(scope)).length;
}

/** What depends on a call is asked for with the call alone. */
function withoutDynamic(access: Access | undefined): Access | undefined {
  return access?.dynamic === undefined ? access : { scopes: access.scopes, isPublic: access.isPublic };
}

function holdsNone(): boolean {
  return false;
}
