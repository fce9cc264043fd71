import { readOwnPackage } from '../lib/core/package/own-package.js';

/**
 * Builds the URL of a documentation page for the current version.
 *
 * @param page its path below the pages folder, such as `lint.md`
 */
export function findPage(page: string): string {
  const { version, repository } = readOwnPackage();
  const url = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return `${url}/blob/v${version}/docs/${page}`;
}
