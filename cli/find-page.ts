import { readOwnPackage } from '../lib/core/package/own-package.js';

/**
 * Builds the address of a page of the documentation, as it is for the version that runs.
 *
 * @param page its path below the folder of the pages, such as `lint.md`
 */
export function findPage(page: string): string {
  const { version, repository } = readOwnPackage();
  const url = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return `${url}/blob/v${version}/docs/${page}`;
}
