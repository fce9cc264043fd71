import type { VisibleHandler } from '../../settings/visibility.interface.js';
import type { CatalogueEntry, ListedEntry } from '../entries.js';

type Listed = ListedEntry<{ readonly name: string }, VisibleHandler['options']>;

const described = new WeakMap<CatalogueEntry, VisibleHandler>();

/** Describes an entry for the visibility check, once. */
export function describeHandler(entry: CatalogueEntry): VisibleHandler {
  const known = described.get(entry) ?? build(entry as Listed);
  described.set(entry, known);
  return known;
}

/** Tells whether an entry says itself who sees it. */
export function hasPredicate(entry: CatalogueEntry): boolean {
  return (entry as Listed).options.visible !== undefined;
}

function build({ definition, options, origin }: Listed): VisibleHandler {
  return { kind: findKind(definition), name: definition.name, options, ...origin };
}

/** Each kind of definition has a member that no other has. */
function findKind(definition: object): VisibleHandler['kind'] {
  if ('inputSchema' in definition) return 'tool';
  if ('uriTemplate' in definition) return 'resourceTemplate';
  return 'uri' in definition ? 'resource' : 'prompt';
}
