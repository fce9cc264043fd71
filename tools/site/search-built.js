import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { SEARCH } from './search.js';

/** How many results the search of the theme shows. */
const SHOWN = 16;

/**
 * Searches the built site as the search box of its theme does: the same library, the index that browsers load, the same options.
 *
 * @param {string} folder what is served
 * @param {string} base the path below which it is
 * @param {readonly string[]} queries
 * @returns for each query, the addresses of the results below `base`, best first
 */
export async function searchBuilt(folder, base, queries) {
  const chunks = join(folder, 'assets/chunks');
  const [name] = readdirSync(chunks).filter((file) => file.startsWith('@localSearchIndex'));
  const source = readFileSync(join(chunks, name), 'utf8');
  const { default: json } = await import(
    `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
  );
  const { options, searchOptions } = SEARCH.options.miniSearch;
  const index = MiniSearch.loadJSON(json, { storeFields: ['title', 'titles'], searchOptions, ...options });
  return queries.map((query) =>
    index
      .search(query)
      .slice(0, SHOWN)
      .map(({ id }) => id.slice(base.length)),
  );
}
