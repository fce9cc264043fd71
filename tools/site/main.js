/**
 * Makes the site: `build` writes what a web server gives out, `dev` shows the pages as you write them. The API reference is made from the
 * docstrings each time for `build`, and once for `dev`.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, watch } from 'node:fs';
import { join } from 'node:path';
import { build, createServer } from 'vitepress';
import { findDeadLinks } from './find-dead-links.js';
import { API, API_NAVIGATION, MADE, PAGES, ROOT, SERVED, TOOLS } from './places.js';
import { findStrayKeywords } from './search.js';
import { readSiteAddress } from './site-address.js';
import { writeApi } from './write-api.js';
import { writeLlms } from './write-llms.js';
import { writePages } from './write-pages.js';
import { REDIRECTS, writeRedirects } from './write-redirects.js';

const COMMANDS = { build: buildSite, dev: showPages };

const [command = 'build'] = process.argv.slice(2);
try {
  await COMMANDS[command]();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function buildSite() {
  const { origin, base } = readSiteAddress(process.env);
  rmSync(MADE, { recursive: true, force: true });
  preparePages();
  await writeApi(join(PAGES, API));
  await build(TOOLS);
  writeLlms({ root: ROOT, from: PAGES, to: SERVED, origin, base });
  const redirects = JSON.parse(readFileSync(REDIRECTS, 'utf8'));
  const faults = [
    ...writeRedirects({ redirects, to: SERVED, base }),
    ...findDeadLinks(SERVED, base),
    ...findStrayKeywords(SERVED),
  ];
  if (faults.length > 0) throw new Error(faults.join('\n'));
  console.log(`The site is in "${SERVED}"`);
}

async function showPages() {
  // Vite would wait for browsers, which keep their connections.
  process.once('SIGTERM', () => process.exit());
  preparePages();
  if (!existsSync(API_NAVIGATION)) await writeApi(join(PAGES, API));
  watch(join(ROOT, 'docs'), { recursive: true }, renewPages);
  watch(join(ROOT, 'README.md'), renewPages);
  const server = await createServer(TOOLS);
  await server.listen();
  server.printUrls();
}

/** A page that is half written may lead nowhere yet. */
function renewPages() {
  try {
    writePages(ROOT, PAGES);
  } catch (error) {
    console.error(error.message);
  }
}

/** Pages become modules, which look for packages where they are. */
function preparePages() {
  mkdirSync(PAGES, { recursive: true });
  const packages = join(MADE, 'node_modules');
  if (!existsSync(packages)) symlinkSync(join(TOOLS, 'node_modules'), packages);
  writePages(ROOT, PAGES);
}
