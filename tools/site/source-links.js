import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { leavesPages } from './map-links.js';

/** The branch that people read and change. */
export const BRANCH = 'main';

/**
 * Translates links between sources to links of the site. A page leads to a page, a picture stays, and everything else that is in the
 * repository is shown there.
 *
 * @param {{ root: string, pages: readonly { source: string, path: string }[], repository: string }} site
 * @returns {(page: { source: string, path: string }, target: string) => string}
 */
export function createTranslation({ root, pages, repository }) {
  const paths = new Map(pages.map(({ source, path }) => [source, path]));
  return ({ source, path }, target) => {
    if (leavesPages(target)) return target;
    const [file, hash = ''] = target.split(/(?=#)/);
    const found = posix.join(posix.dirname(source), decodeURI(file));
    if (found.startsWith('..') || !existsSync(join(root, found)))
      throw new Error(`"${source}" leads to "${target}", which is not there`);
    const place = paths.get(found) ?? findAsset(found);
    if (place !== undefined) return `${leadTo(path, place)}${hash}`;
    const kind = statSync(join(root, found)).isDirectory() ? 'tree' : 'blob';
    return `${repository}/${kind}/${BRANCH}/${found.replace(/\/$/, '')}${hash}`;
  };
}

/** What is in `docs` and no page, such as a picture, is on the site under the same name. */
function findAsset(file) {
  return /^docs\/.*\.\w+$/.test(file) && !file.endsWith('.md') ? file.replace(/^docs\//, '') : undefined;
}

function leadTo(from, to) {
  const way = posix.relative(posix.dirname(from), to);
  return way.startsWith('.') ? way : `./${way}`;
}
