import { buildWellKnownPath, trimSlash } from '../../../core/oauth/metadata.js';
import { isPath } from '../../../core/checks/option-checks.js';

/** The paths that a document of a server may be requested for. */
export interface DocumentLocation {
  /** The path of the endpoint in the application. */
  readonly endpointPath: string;
  /** The path of the endpoint for clients, which a proxy may rewrite. */
  readonly resourcePath: string;
}

/**
 * Assigns the well-known paths of a document to each server of an application: for the path of its endpoint, for the
 * path of its public URL, and the root form. A path that several servers could claim belongs to the first.
 *
 * @returns the paths of each location
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

/** Some characters are special to routers. */
function isServable(path: string): boolean {
  return path === '/' || isPath(trimSlash(path));
}
