/** Makes the page at the endpoint of `explorer`: one file with everything that a browser needs for it. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rollup } from '@rollup/wasm-node';
import { minify, transform } from '@swc/core';
import { readRepositoryUrl } from '../release/addresses.js';
import { formatLicenses } from './format-licenses.js';
import { resolvePackage } from './resolve-package.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'explorer');

/** What the page takes from the rest of the package. */
const SHARED = [
  ...[
    'async',
    'checks',
    'clients',
    'doctor',
    'explorer',
    'lint',
    'log',
    'network',
    'oauth',
    'protocol',
    'skills',
    'words',
  ].map((folder) => `core/${folder}`),
  'client/authorization',
  'client/tasks',
].map((folder) => join(ROOT, 'lib', folder));

/** Where the page is. */
export const PAGE = 'dist/explorer/page.html';

/** How many bytes it may have when it is compressed: no larger one comes into being. */
const MOST_BYTES = 200_000;

const FILE = join(ROOT, PAGE);

const PACKAGES = {
  name: 'packages',
  resolveId(source, importer) {
    if (importer === undefined) return source;
    if (!source.startsWith('.')) return resolvePackage(source, importer);
    const file = resolve(dirname(importer), source);
    const candidates = [file.replace(/\.js$/, '.tsx'), file.replace(/\.js$/, '.ts'), file];
    return candidates.find((one) => existsSync(one)) ?? null;
  },
};

const TYPESCRIPT = {
  name: 'typescript',
  async transform(code, file) {
    if (!/\.tsx?$/.test(file)) return null;
    const { code: script } = await transform(code, {
      filename: file,
      swcrc: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', tsx: file.endsWith('x') },
        transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      },
      module: { type: 'es6' },
    });
    return { code: script, map: null };
  },
};

/** Builds the page unless it is newer than everything that it is made of. */
export async function buildPage() {
  if (!isOutdated()) return;
  const { scripts, files } = await buildScripts();
  const style = readFileSync(join(SOURCES, 'style.css'), 'utf8');
  const page = readFileSync(join(SOURCES, 'page.html'), 'utf8')
    .replace('name="docs" content=""', () => `name="docs" content="${findDocs()}"`)
    .replace('<style></style>', () => `<style>${style}</style>`)
    .replace('<script></script>', () => scripts.map((script) => `<script>${script}</script>`).join('\n'))
    .replace('</html>', () => `</html>\n<!--\n${formatLicenses(files)}\n-->`);
  const bytes = gzipSync(page, { level: 9 }).length;
  if (bytes > MOST_BYTES)
    throw new Error(`The page has ${bytes} bytes when compressed: at most ${MOST_BYTES}`);
  mkdirSync(dirname(FILE), { recursive: true });
  // Several processes may build it at once; each of them puts a whole one there.
  const draft = `${FILE}.${process.pid}`;
  writeFileSync(draft, page);
  renameSync(draft, FILE);
}

/** Where the pages of `docs` can be read. */
function findDocs() {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return `${readRepositoryUrl(manifest)}/blob/HEAD/docs/`;
}

function isOutdated() {
  const built = statSync(FILE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [SOURCES, import.meta.dirname, ...SHARED]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .concat(join(ROOT, 'package-lock.json'), join(ROOT, 'package.json'))
    .some((file) => statSync(file).mtimeMs > built);
}

/** Builds a script for each part of the page that runs at another time, and what loads them. */
async function buildScripts() {
  const bundle = await rollup({
    input: join(SOURCES, 'main.ts'),
    plugins: [PACKAGES, TYPESCRIPT],
    onLog: refuse,
  });
  const { output } = await bundle.generate({
    format: 'amd',
    amd: { autoId: true },
    entryFileNames: '[name]',
    chunkFileNames: '[name]',
  });
  await bundle.close();
  const codes = [LOADER, ...output.map(({ code }) => code), "require(['./main'])"];
  return {
    scripts: await Promise.all(codes.map(minifyScript)),
    files: output.flatMap(({ modules }) => Object.keys(modules)),
  };
}

/** Runs a part when it is first imported: until then a browser only skims it. */
const LOADER = `{
  const parts = {};
  const loaded = {};
  self.define = (name, needs, build) => {
    parts[name] = build === undefined ? { needs: [], build: needs } : { needs, build };
  };
  const load = (path) => {
    if (path === 'require') return self.require;
    const name = path.replace('./', '');
    if (loaded[name] === undefined) {
      const exports = (loaded[name] = {});
      const { needs, build } = parts[name];
      build(...needs.map((need) => (need === 'exports' ? exports : load(need))));
    }
    return loaded[name];
  };
  self.require = (paths, resolve, reject) => {
    try {
      const found = paths.map(load);
      resolve?.(...found);
    } catch (error) {
      if (reject === undefined) throw error;
      reject(error);
    }
  };
}`;

async function minifyScript(source) {
  const { code } = await minify(source, {
    compress: { passes: 2 },
    mangle: true,
    module: false,
    ecma: 2022,
  });
  // The parser of HTML ends a script at the first of these, in a text too.
  return code.replaceAll('</script', String.raw`<\/script`).replaceAll('<!--', String.raw`<\!--`);
}

/** What packages are not to blame for: circles, an outer `this`, hints for another bundler. Whatever else is found is a fault. */
const HARMLESS = ['CIRCULAR_DEPENDENCY', 'INVALID_ANNOTATION', 'THIS_IS_UNDEFINED'];

function refuse(_level, log) {
  if (!HARMLESS.includes(log.code)) throw new Error(log.message);
}

if (process.argv[1] === import.meta.filename) await buildPage();
