import { buildWellKnownPath, trimSlash } from '../../../core/oauth/metadata.js';
import { isPath } from '../../../core/checks/option-checks.js';

/** Where clients may look for a document of a server. */
export interface DocumentLocation {
  /** The path of the endpoint in the application. */
  readonly endpointPath: string;
  /** The path of the endpoint as clients know it, which a proxy may change. */
  readonly resourcePath: string;
}

/**
 * Assigns the paths of a document to each server of an application: the path of its endpoint, the path of its public
 * URL, and the root form. What several could have is the first one's, and no path leads to the documents of two.
 *
 * @returns for each place its paths
 * @see RFC 9728 §3.1, RFC 8414 §3.1
 */
export function allocatePaths(
  document: string,
  places: readonly DocumentLocation[],
): readonly (readonly string[])[] {
  const taken = new Map<string, { readonly path: string; readonly owner: DocumentLocation }>();
  const claim = (about: string, owner: DocumentLocation): void => {
    const path = buildWellKnownPath(document, about);
    // Routers may take upper and lower case for the same.
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

/** Routers give some characters a meaning of their own. */
function isServable(path: string): boolean {
  return path === '/' || isPath(trimSlash(path));
}
