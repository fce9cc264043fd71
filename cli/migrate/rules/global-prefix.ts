import type { Migration } from '../migration.js';
import type { EndpointContext } from './endpoint-options.js';

/** Tells whether the application moves its routes, as release 1 moved the endpoint with them. */
export function findGlobalPrefix({ files }: Migration): EndpointContext['globalPrefix'] {
  const calls = files.flatMap(({ text, path }) =>
    /(?:spec|test)\.[cm]?[jt]s$/.test(path) ? [] : [...text.matchAll(/\.setGlobalPrefix\(([^)]*)/g)],
  );
  if (calls.length === 0) return 'none';
  return calls.some(([, inside = '']) => inside.includes('exclude')) ? 'with exceptions' : 'plain';
}
