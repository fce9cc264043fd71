import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { arrangeFirstPage, describeFirstPage } from './first-page.js';
import { addFrontMatter } from './front-matter.js';
import { mapLinks } from './map-links.js';
import { FIRST_PAGE, INDEX, listItems, listUnlisted, readOutline } from './outline.js';
import { BRANCH, createTranslation } from './source-links.js';
import { readRepositoryUrl } from '../release/addresses.js';

/** Pages with wide tables: the theme gives them more room. */
const WIDE = new Set([
  'architecture.md',
  'command-line.md',
  'comparison.md',
  'configuration.md',
  'identity-providers/index.md',
  'migration/from-the-official-sdk.md',
  'performance-figures.md',
  'performance.md',
  'telemetry.md',
  'troubleshooting.md',
  'wire.md',
]);

/**
 * Writes the pages of `docs` and the README as the site has them: their links lead to each other, or to the repository.
 *
 * @param {string} root the folder of the package
 * @param {string} out an empty folder
 * @throws {Error} if a link leads nowhere, or if the index leaves out a page; it names all of them
 */
export function writePages(root, out) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const repository = readRepositoryUrl(manifest);
  const outline = readOutline(root);
  const translate = createTranslation({ root, pages: outline.pages, repository });
  const faults = listUnlisted(outline).map(
    ({ source }) => `"${source}" is in no row of "${INDEX}": add one, so that people find it`,
  );

  for (const page of outline.pages) {
    const text = mapLinks(readFileSync(join(root, page.source), 'utf8'), (target) => {
      try {
        return translate(page, target);
      } catch (error) {
        faults.push(error.message);
        return target;
      }
    });
    const isFirst = page.path === FIRST_PAGE;
    const members = {
      description: describe(outline, page) ?? manifest.description,
      pageClass: WIDE.has(page.path) ? 'wide' : undefined,
      source: `${repository}/edit/${BRANCH}/${page.source}`,
      ...(isFirst ? describeFirstPage(manifest, text) : {}),
    };
    const file = join(out, page.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, addFrontMatter(members, isFirst ? arrangeFirstPage(text) : text));
  }
  if (faults.length > 0) throw new Error(faults.join('\n'));
  copyAssets(join(root, 'docs'), out);
}

/** Gives what the index says of a page, in the row that leads to all of it. */
function describe({ sections }, page) {
  return listItems(sections).find((item) => item.page === page && item.hash === '')?.description;
}

/** Pages show pictures from beside them; the Markdown of pages, which is served too, leads to the same names. */
function copyAssets(docs, out) {
  for (const to of [out, join(out, 'public')])
    cpSync(docs, to, { recursive: true, filter: (file) => !file.endsWith('.md') });
}
