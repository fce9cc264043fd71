import type { Migration } from '../migration.js';
import type { EndpointContext } from './endpoint-options.js';

/** Detects whether the application has a global prefix, which release 1 applied to the endpoint too. */
export function findGlobalPrefix({ files }: Migration): EndpointContext['globalPrefix'] {
  const calls = files.flatMap(({ text, path }) =>
    /(?:spec|test)\.[cm]?[jt]s$/.test(path) ? [] : [...text.matchAll(/\.setGlobalPrefix\(([^)]*)/g)],
  );
  if (calls.length === 0) return 'none';
  return calls.some(([, inside = '']) => inside.includes('exclude')) ? 'with exceptions' : 'plain';
}
