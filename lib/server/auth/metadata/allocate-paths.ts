import { buildWellKnownPath, trimSlash } from '../../../core/oauth/metadata.js';
import { isPath } from '../../../core/checks/option-checks.js';

/** The paths at which clients may request a server's document. */
export interface DocumentLocation {
  /** The endpoint path in the application. */
  readonly endpointPath: string;
  /** The endpoint path for clients, which a proxy may rewrite. */
  readonly resourcePath: string;
}

/**
 * Assigns a document's well-known paths to each of an application's servers: those for its endpoint path and its
 * public URL's path, and the root form. A path that several servers could claim belongs to the first.
 *
 * @returns each location's paths
 * @see RFC 9728 §3.1, RFC 8414 §3.1
 */
export function allocatePaths(
  document: string,
  places: readonly DocumentLocation[],
): readonly (readonly string[])[] {
  const taken = new Map<string, { readonly path: string; readonly owner: DocumentLocation }>();
  const claim = (about: string, owner: DocumentLocation): void => {
    const path = buildWellKnownPath(document, about);
    // Routers may be case-insensitive.
    const key = path.toLowerCase();
    if (!taken.has(key)) taken.set(key, { path, owner });
  };
  for (const place of places) claim(place.endpointPath, place);
  for (const place of places) {
    if (isServable(place.resourcePath)) claim(place.resourcePath, place);
  }
  for (const place of places) claim('/', place);
  return places.map((place) =>
    [...taken.values()].filter(({ owner }) => owner === place).map(({ path }) => path),
  );
}

/** Some characters have a special meaning in routers. */
function isServable(path: string): boolean {
  return path === '/' || isPath(trimSlash(path));
}
