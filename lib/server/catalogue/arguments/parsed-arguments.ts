import type { CatalogueEntry } from '../entries.js';

/** Arguments of a request as the handler takes them. */
interface Parsed {
  readonly entry: CatalogueEntry;
  readonly value: unknown;
}

const parsed = new WeakMap<object, Parsed>();

/** Keeps arguments that were parsed to tell the scopes of a request: these and no others must reach the handler. */
export function keepParsed(context: object, entry: CatalogueEntry, value: unknown): void {
  parsed.set(context, { entry, value });
}

/** Finds what was parsed for an entry; nothing if its scopes do not depend on the arguments. */
export function findParsed(context: object, entry: CatalogueEntry): Parsed | undefined {
  if (entry.access?.dynamic === undefined) return undefined;
  const found = parsed.get(context);
  return found?.entry === entry ? found : undefined;
}
