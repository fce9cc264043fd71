/**
 * Joins the modules that the compiler wrote into one file for each entry of a package and what they share: Node takes longer to find
 * and link hundreds of small modules than everything else at the start of a server does.
 */
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { rollup } from '@rollup/wasm-node';
import { transformSync } from '@swc/core';
import { PACKAGES } from './entries.js';
import { buildPage } from './explorer/build-page.js';

const ROOT = join(import.meta.dirname, '..');
/** What the compiler wrote, in the folders of the sources. */
const MODULES = join(ROOT, '.build');
/** An entry that has one of them is used in an application with a server. */
const SERVER = ['lib/server/mcp.module.js', 'lib/controllers/index.js'].map((path) => join(MODULES, path));

/** What loads packages on demand stays CommonJS, in a file of its own: bundlers of applications follow its `require()`. */
const COMMONJS = {
  name: 'commonjs',
  resolveId(source, importer) {
    if (!source.endsWith('.cjs')) return null;
    const file = resolve(dirname(importer), source);
    const path = relative(MODULES, file);
    const copy = join(ROOT, 'dist', relative('lib', path));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(ROOT, path), copy);
    return { id: file, external: true };
  },
};

/** A bundle of an application has no `package.json` of this package to read. */
const OWN_PACKAGE = {
  name: 'own-package',
  transform(_code, file) {
    if (file !== join(MODULES, 'lib/core/package/own-package.js')) return null;
    const { name, version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const facts = JSON.stringify({ name, version, repository });
    return `export function readOwnPackage() { return ${facts}; }`;
  },
};

const DECORATORS_MODULE = '\0decorators';
const HELPER = /^var (__decorate|__metadata|__param) = \(this && this\.\1\) \|\| function [^]*?\n\};\n/gm;

/** The compiler writes its helpers into each module that has decorators. Hundreds of copies would be compiled one by one at every start. */
const SHARED_DECORATORS = {
  name: 'shared-decorators',
  resolveId: (source) => (source === DECORATORS_MODULE ? source : null),
  load: (id) => (id === DECORATORS_MODULE ? DECORATORS : null),
  transform(code) {
    const names = Array.from(code.matchAll(HELPER), ([, name]) => name);
    if (names.length === 0) return null;
    return `import { ${names.join(', ')} } from '${DECORATORS_MODULE}';\n${code.replace(HELPER, '')}`;
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
 * Node reads the text of a module at every start. Comments are a third of it, indentation is a sixth of the rest, and one character outside of
 * ASCII doubles the memory of the whole file. Names and lines stay, so that a trace can be read without a source map; the declarations keep the
 * comments for editors.
 */
const COMPACT = {
  name: 'compact',
  renderChunk(source) {
    const { code } = transformSync(source, {
      configFile: false,
      swcrc: false,
      isModule: true,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'ecmascript' },
        minify: { compress: false, mangle: false, format: { comments: false, asciiOnly: true } },
      },
    });
    return indentWithTabs(code, this.parse(code));
  },
};

const INDENTATION = /^(?: {4})+/gm;

/** Indents the lines that do not begin inside a template string. */
function indentWithTabs(code, program) {
  const templates = listTemplates(program);
  return code.replace(INDENTATION, (spaces, offset) =>
    templates.some(({ start, end }) => start < offset && offset < end)
      ? spaces
      : '\t'.repeat(spaces.length / 4),
  );
}

function listTemplates(node) {
  if (node === null || typeof node !== 'object') return [];
  if (node.type === 'TemplateElement') return node.value.raw.includes('\n') ? [node] : [];
  return Object.values(node).flatMap(listTemplates);
}

for (const one of PACKAGES) {
  if (!isOutdated(one)) continue;
  removeScripts(findOutput(one));
  await writeBundle(one);
}
await buildPage();

function findOutput({ folder }) {
  return join(ROOT, folder, 'dist');
}

function isOutdated({ entries: [first], ...one }) {
  const { mtimeMs } = statSync(join(findOutput(one), `${first}.js`), { throwIfNoEntry: false }) ?? {
    mtimeMs: 0,
  };
  const inputs = [
    join(MODULES, 'modules.tsbuildinfo'),
    join(ROOT, 'lib/server/schema/packages-on-demand.cjs'),
    join(ROOT, 'package.json'),
    import.meta.filename,
    join(import.meta.dirname, 'entries.js'),
  ];
  return inputs.some((file) => statSync(file).mtimeMs > mtimeMs);
}

function removeScripts(output) {
  mkdirSync(output, { recursive: true });
  for (const entry of readdirSync(output, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.js')) rmSync(join(entry.parentPath, entry.name));
}

async function writeBundle({ folder, sources, entries }) {
  const modules = join(MODULES, sources);
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((entry) => [entry, join(modules, `${entry}.js`)])),
    external: (id) => isBuiltin(id) || /^[@a-z]/.test(id),
    plugins: [COMMONJS, SHARED_DECORATORS, OWN_PACKAGE, CLASS_NAMES, COMPACT],
    treeshake: false,
    onLog: refuse,
  });
  const { output } = await bundle.write({
    dir: findOutput({ folder }),
    format: 'esm',
    chunkFileNames: 'chunks/[name]-[hash].js',
    manualChunks: createChunkChooser(join(modules, `${entries[0]}.js`)),
    hoistTransitiveImports: false,
  });
  await bundle.close();
  assertDependencies(folder, output);
}

/** What the bundle imports is installed with the package, or expected of the application. */
function assertDependencies(folder, output) {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
  );
  const files = new Set(output.map(({ fileName }) => fileName));
  const imported = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports]);
  const names = imported
    .filter((id) => !files.has(id) && !isBuiltin(id) && !id.endsWith('.cjs'))
    .map((id) => /^(?:@[^/]+\/)?[^/]+/.exec(id)[0]);
  const missing = names.filter((name) => !(name in { ...dependencies, ...peerDependencies }));
  if (missing.length > 0)
    throw new Error(`"${folder}/package.json" does not depend on "${[...new Set(missing)].join('", "')}"`);
}

/**
 * Puts a server into one file, and what it shares with entries that run without one into two, instead of one for each set of entries that
 * shares it: to find and link a file takes longer than to read what an entry does not need of it. There are two because some entries run
 * without Nest.
 */
function createChunkChooser(first) {
  let chunks;
  return (id, { getModuleIds, getModuleInfo }) => {
    chunks ??= chooseChunks([...getModuleIds()].map(getModuleInfo), { first, getModuleInfo });
    return chunks.get(id);
  };
}

function chooseChunks(modules, { first, getModuleInfo }) {
  const withoutServer = (starts) => {
    const closures = starts.filter(({ id }) => id !== first).map(({ id }) => follow(id, getModuleInfo));
    const alone = closures.filter((closure) => !SERVER.some((id) => closure.has(id)));
    return new Set(alone.flatMap((closure) => [...closure]));
  };
  const entries = modules.filter(({ isEntry }) => isEntry);
  const [atStart, later] = [
    entries,
    modules.filter(({ dynamicImporters }) => dynamicImporters.length > 0),
  ].map(withoutServer);
  const choose = (id) => {
    const isShared = atStart.has(id) || later.has(id);
    if (isShared && needsNoPackage(id, getModuleInfo)) return 'shared';
    return atStart.has(id) ? 'nest' : 'server';
  };
  return new Map([...follow(first, getModuleInfo)].map((id) => [id, choose(id)]));
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
