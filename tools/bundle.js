/**
 * Joins the modules that the compiler wrote into one file for each entry of the package and what they share: Node takes longer to find
 * and link hundreds of small modules than everything else at the start of a server does.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rollup } from '@rollup/wasm-node';
import { transformSync } from '@swc/core';
import { ENTRIES } from './entries.js';
import { buildPage } from './explorer/build-page.js';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist');
const MODULES = join(OUTPUT, '.modules');
const MANIFEST = join(ROOT, 'package.json');
/** Every entry that runs a server has it. */
const SERVER = join(MODULES, 'server/mcp.module.js');

const SOURCE_MAPS = {
  name: 'source-maps',
  load: (file) => ({ code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }),
};

/** What loads packages on demand stays CommonJS, in a file of its own: bundlers of applications follow its `require()`. */
const COMMONJS = {
  name: 'commonjs',
  resolveId(source, importer) {
    if (!source.endsWith('.cjs')) return null;
    const file = resolve(dirname(importer), source);
    const path = relative(MODULES, file);
    const copy = join(OUTPUT, path);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, 'lib', path), copy);
    return { id: file, external: true };
  },
};

/** A bundle of an application has no `package.json` of this package to read. */
const OWN_PACKAGE = {
  name: 'own-package',
  transform(_code, file) {
    if (file !== join(MODULES, 'core/package/own-package.js')) return null;
    const { name, version } = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    const facts = JSON.stringify({ name, version });
    return { code: `export function readOwnPackage() { return ${facts}; }`, map: { mappings: '' } };
  },
};

const DECORATORS_MODULE = '\0decorators';
const HELPER = /^var (__decorate|__metadata|__param) = \(this && this\.\1\) \|\| function [^]*?\n\};\n/gm;

/** The compiler writes its helpers into each module that has decorators. Hundreds of copies would be compiled one by one at every start. */
const SHARED_DECORATORS = {
  name: 'shared-decorators',
  resolveId: (source) => (source === DECORATORS_MODULE ? source : null),
  load: (id) => (id === DECORATORS_MODULE ? { code: DECORATORS, map: { mappings: '' } } : null),
  transform(code) {
    const names = Array.from(code.matchAll(HELPER), ([, name]) => name);
    if (names.length === 0) return null;
    // Lines stay where they are, so that the source map stays true.
    const others = code.replace(HELPER, (helper) => '\n'.repeat(helper.split('\n').length - 1));
    return { code: `import { ${names.join(', ')} } from '${DECORATORS_MODULE}';${others}`, map: null };
  },
};

const DECORATORS = `
export function __decorate(decorators, target, key, descriptor) {
  const found = descriptor === null ? Object.getOwnPropertyDescriptor(target, key) : descriptor;
  const decorated = Reflect.decorate(decorators, target, key, found);
  if (key !== undefined && decorated) Object.defineProperty(target, key, decorated);
  return decorated;
}
export function __metadata(key, value) {
  return Reflect.metadata(key, value);
}
export function __param(index, decorator) {
  return (target, key) => decorator(target, key, index);
}
`;

const CLASS_NAMES = {
  name: 'class-names',
  renderChunk: (code) => {
    const renamed = code.match(/(?<=\bclass )\w+\$\w+/g);
    if (renamed !== null)
      throw new Error(`Logs would show "${renamed.join('", "')}": two classes share a name`);
  },
};

/**
 * Node reads the text of a module at every start. Comments are a third of it, and one character outside of ASCII doubles the memory of the
 * whole file. The declarations keep the comments for editors, and the source maps lead to the sources.
 */
const WITHOUT_COMMENTS = {
  name: 'without-comments',
  renderChunk: (source) => {
    const { code, map } = transformSync(source, {
      configFile: false,
      swcrc: false,
      isModule: true,
      sourceMaps: true,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'ecmascript' },
        minify: { compress: false, mangle: false, format: { comments: false, asciiOnly: true } },
      },
    });
    return { code, map };
  },
};

if (isOutdated()) {
  removeScripts();
  await writeBundle();
}
await buildPage();

function isOutdated() {
  const { mtimeMs } = statSync(join(OUTPUT, 'index.js'), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  const inputs = [
    join(OUTPUT, '.tsbuildinfo'),
    join(ROOT, 'lib/server/schema/packages-on-demand.cjs'),
    MANIFEST,
    import.meta.filename,
    join(import.meta.dirname, 'entries.js'),
  ];
  return inputs.some((file) => statSync(file).mtimeMs > mtimeMs);
}

function removeScripts() {
  for (const entry of readdirSync(OUTPUT, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isFile() && /\.js(\.map)?$/.test(entry.name) && !file.startsWith(MODULES)) rmSync(file);
  }
}

async function writeBundle() {
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(MODULES, `${entry}.js`)])),
    external: (id) => isBuiltin(id) || /^[@a-z]/.test(id),
    plugins: [COMMONJS, SHARED_DECORATORS, SOURCE_MAPS, OWN_PACKAGE, CLASS_NAMES, WITHOUT_COMMENTS],
    treeshake: false,
    onLog: refuse,
  });
  await bundle.write({
    dir: OUTPUT,
    format: 'esm',
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    manualChunks: createChunkChooser(),
    hoistTransitiveImports: false,
  });
  await bundle.close();
}

/**
 * Puts what a server shares with the other entries into one file, instead of one for each set of entries that shares it: to find and
 * link a file takes longer than to read what an entry does not need of it. What needs a package stays where it is, since other entries
 * run without Nest.
 */
function createChunkChooser() {
  let shared;
  return (id, { getModuleIds, getModuleInfo }) => {
    shared ??= findShared([...getModuleIds()].map(getModuleInfo), getModuleInfo);
    return shared.has(id) ? 'shared' : undefined;
  };
}

function findShared(modules, getModuleInfo) {
  const starts = modules.filter(({ isEntry, dynamicImporters }) => isEntry || dynamicImporters.length > 0);
  const server = follow(join(MODULES, 'index.js'), getModuleInfo);
  const closures = starts.map(({ id }) => follow(id, getModuleInfo));
  const others = new Set(
    closures.filter((closure) => !closure.has(SERVER)).flatMap((closure) => [...closure]),
  );
  return new Set([...server].filter((id) => others.has(id) && needsNoPackage(id, getModuleInfo)));
}

/** Lists a module and all that it imports at once. */
function follow(id, getModuleInfo, seen = new Set()) {
  if (seen.has(id)) return seen;
  seen.add(id);
  for (const imported of getModuleInfo(id).importedIds) follow(imported, getModuleInfo, seen);
  return seen;
}

function needsNoPackage(id, getModuleInfo) {
  return [...follow(id, getModuleInfo)].every(
    (found) => !getModuleInfo(found).isExternal || isBuiltin(found),
  );
}

/** Whatever is found is a fault. */
function refuse(_level, log) {
  throw new Error(log.message);
}
