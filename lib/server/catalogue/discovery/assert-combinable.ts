import type { HandlerKind, HandlerMetadata } from '../../decorators/handler-metadata.js';
import { CatalogueError } from '../catalogue.error.js';

/** Kinds whose handlers are called alike, so that one method may be several of them. */
const COMBINABLE: readonly ReadonlySet<HandlerKind>[] = [
  new Set(['resource', 'resourceTemplate']),
  new Set(['completion']),
];

/**
 * Makes sure that a method with several decorators of handlers can be all of them.
 *
 * @throws {CatalogueError} when it cannot
 */
export function assertCombinable(handlers: readonly HandlerMetadata[]): void {
  const kinds = handlers.map(({ kind }) => kind);
  const isCombinable = COMBINABLE.some((combinable) => kinds.every((kind) => combinable.has(kind)));
  if (kinds.length > 1 && !isCombinable) throw CatalogueError.notCombinable(kinds);
}
