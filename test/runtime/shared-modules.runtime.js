import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SourceTextModule, SyntheticModule } from 'node:vm';
import { loadCircus } from './circus.js';
import { createJestObject } from './jest-object.js';

const require = createRequire(import.meta.url);

const CONDITIONS = ['node', 'node-addons', 'import', 'default'];

const SYNTAX = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
};

/** Packages and `lib`, by path: they are loaded once for all suites of the process. */
const shared = new Map();

/** Where modules stay that were on the way when another could not be found. */
const UNFINISHED = new Set(['unlinked', 'linking']);

/** What was made of a source, by path: a suite has modules of its own, but the same code. */
const compiled = new Map();

const sourceMaps = new Map();

/** What has been asked for is linked one after the other: two graphs with a part in common must not wait for each other. */
let linking = Promise.resolve();

/**
 * Gives each suite its own copy of the modules of `test` and `sample`, and all suites of a process the same packages and the same `lib`,
 * as applications in one process have them. What it has to offer is what jest asks of its `runtime`.
 */
export default class SharedModulesRuntime {
  #environment;
  #resolver;
  #transformer;
  #transformOptions;
  #isShared;
  #isWatched;
  #own = new Map();
  #globals;

  constructor({ rootDir }, environment, resolver, transformer, ...rest) {
    const [, coverageOptions, , { watch, watchAll }] = rest;
    this.#environment = environment;
    this.#resolver = resolver;
    this.#transformer = transformer;
    this.#transformOptions = { ...coverageOptions, ...SYNTAX };
    // Who watches changes lib, and tests, meanwhile.
    this.#isWatched = watch || watchAll;
    const lib = this.#isWatched ? undefined : join(rootDir, 'lib/');
    this.#isShared = (path) => lib !== undefined && path.startsWith(lib);
    // It is there before a suite begins, so that it outlives the suite, as the modules do that count in it.
    if (coverageOptions.collectCoverage) globalThis.__coverage__ ??= {};
  }

  unstable_shouldLoadAsEsm(path) {
    return path.endsWith('.ts');
  }

  async unstable_importModule(path) {
    const module = await this.#find(path);
    await this.#link(module);
    await this.#keepGlobals(path);
    await module.evaluate();
    return module.namespace;
  }

  requireInternalModule(path) {
    return loadCircus(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    this.#globals = { ...globals, jest: createJestObject(this.#environment) };
  }

  getSourceMaps() {
    return sourceMaps;
  }

  getAllCoverageInfoCopy() {
    return structuredClone(globalThis.__coverage__);
  }

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {
    this.#own.clear();
  }

  /** What packages leave in the process while they are loaded stays there: they are not loaded again. */
  async #keepGlobals(path) {
    const { expect } = this.#globals;
    const matchers = Object.values(globalThis[Symbol.for('$$jest-matchers-object')]);
    const nest = await shared.get(this.#locate('@nestjs/common', path));
    const loggers = nest === undefined ? [] : [nest.namespace.Logger];
    this.#environment.keep([globalThis, performance, Error, expect, expect.not, ...matchers, ...loggers]);
  }

  async #link(module) {
    const link = async () => {
      if (module.status === 'unlinked')
        await module.link((name, { identifier }) => this.#resolve(name, identifier));
    };
    linking = linking.then(link, link);
    try {
      await linking;
    } catch (error) {
      for (const [path, { status }] of shared) if (UNFINISHED.has(status)) shared.delete(path);
      throw error;
    }
  }

  #resolve(specifier, from) {
    if (specifier === '@jest/globals')
      return this.#findIn(this.#own, specifier, () => createSynthetic(specifier, this.#globals));
    return this.#find(this.#locate(specifier, from));
  }

  #locate(specifier, from) {
    if (this.#resolver.isCoreModule(specifier)) return specifier;
    try {
      return this.#resolver.resolveModule(from, specifier, { conditions: CONDITIONS });
    } catch (cause) {
      throw new Error(`"${from}" imports "${specifier}", which cannot be found`, { cause });
    }
  }

  #find(path) {
    if (!path.endsWith('.ts')) return this.#findIn(shared, path, () => importNatively(path));
    return this.#findIn(this.#isShared(path) ? shared : this.#own, path, () => this.#compile(path));
  }

  #findIn(registry, key, create) {
    if (!registry.has(key)) registry.set(key, create());
    return registry.get(key);
  }

  #compile(path) {
    if (this.#isWatched) compiled.delete(path);
    const code = this.#findIn(compiled, path, () => this.#transform(path));
    return new SourceTextModule(code, {
      identifier: path,
      initializeImportMeta: (meta) => Object.assign(meta, this.#describe(path)),
      importModuleDynamically: async (specifier) => {
        const module = await this.#resolve(specifier, path);
        await this.#link(module);
        await module.evaluate();
        return module;
      },
    });
  }

  #transform(path) {
    const source = readFileSync(path, 'utf8');
    const { code, sourceMapPath } = this.#transformer.transform(path, this.#transformOptions, source);
    if (sourceMapPath !== null) sourceMaps.set(path, sourceMapPath);
    return code;
  }

  #describe(path) {
    const resolve = (specifier) => toUrl(this.#locate(specifier, path));
    return { url: toUrl(path), filename: path, dirname: dirname(path), resolve };
  }
}

function toUrl(path) {
  return isAbsolute(path) ? pathToFileURL(path).href : path;
}

/** The import that began last. */
let importing = Promise.resolve();

/** One at a time: a CommonJS package cannot require an ES module that another import has not loaded as a whole. */
async function importNatively(path) {
  const namespace = importing.then(() => import(toUrl(path)));
  importing = namespace.catch(() => undefined);
  const module = createSynthetic(path, await namespace);
  await module.link(() => undefined);
  await module.evaluate();
  return module;
}

function createSynthetic(identifier, namespace) {
  const names = Object.keys(namespace);
  const evaluate = function () {
    for (const name of names) this.setExport(name, namespace[name]);
  };
  return new SyntheticModule(names, evaluate, { identifier });
}
