/**
 * Joins the modules that the compiler wrote into one file for each entry of the package and what they share: Node takes longer to find
 * and link hundreds of small modules than everything else at the start of a server does.
 */
import { readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { rollup } from '@rollup/wasm-node';
import { ENTRIES } from './entries.js';

const OUTPUT = join(import.meta.dirname, '../dist');
const MODULES = join(OUTPUT, '.modules');

const SOURCE_MAPS = {
  name: 'source-maps',
  load: (file) => ({ code: readFileSync(file, 'utf8'), map: readFileSync(`${file}.map`, 'utf8') }),
};

const CLASS_NAMES = {
  name: 'class-names',
  renderChunk: (code) => {
    const renamed = code.match(/(?<=\bclass )\w+\$\w+/g);
    if (renamed !== null)
      throw new Error(`Logs would show "${renamed.join('", "')}": two classes share a name`);
  },
};

if (isOutdated()) {
  removeScripts();
  await writeBundle();
}

function isOutdated() {
  const { mtimeMs } = statSync(join(OUTPUT, 'index.js'), { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
  const inputs = [
    join(OUTPUT, '.tsbuildinfo'),
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
    plugins: [SOURCE_MAPS, CLASS_NAMES],
    treeshake: false,
    onLog: refuse,
  });
  await bundle.write({
    dir: OUTPUT,
    format: 'esm',
    sourcemap: true,
    chunkFileNames: 'chunks/[name]-[hash].js',
    hoistTransitiveImports: false,
  });
  await bundle.close();
}

/** The compiler writes decorators down with a `this` that means nothing in a module; whatever else is found is a fault. */
function refuse(_level, log) {
  if (log.code !== 'THIS_IS_UNDEFINED') throw new Error(log.message);
}
