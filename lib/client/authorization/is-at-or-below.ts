import { trimSlash } from '../../core/oauth/well-known.js';

/** Tells whether a path is that of a root, with or without a slash at the end, or below it. */
export function isAtOrBelow(path: string, root: string): boolean {
  const trimmed = trimSlash(root);
  return path === trimmed || path.startsWith(`${trimmed}/`);
}
