import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';
import { BUNDLES, bundle } from './bundlers.mjs';
import { ROOT, run } from './shell.mjs';
import { tryBundle } from './try-bundle.mjs';

const SOURCES = join(import.meta.dirname, 'bundled');
const BUNDLERS = ['esbuild@0.28', 'rolldown@1', '@rspack/core@2'];

const SMALL = [
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-fastify',
  'reflect-metadata',
  'rxjs',
  'zod',
];
const OPTIONAL = [
  '@modelcontextprotocol/client',
  '@nestjs/platform-express',
  '@nestjs/terminus',
  '@opentelemetry/api',
  '@valibot/to-json-schema',
  'arktype',
  'class-transformer',
  'class-validator',
  'class-validator-jsonschema',
  'valibot',
];

/** Bundles applications of the packed package with each bundler, and calls their tools where there is no "node_modules". */
export async function tryBundling(folder, { server }) {
  const app = join(folder, 'bundled');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  for (const name of ['serve', 'small', 'full']) compile(app, name);
  install(app, [server, ...BUNDLERS, ...SMALL.map(ask)]);
  await tryAll(app, { entry: 'small.js', installed: [], tools: ['zod', 'json'] });
  install(app, OPTIONAL.map(ask));
  const tools = ['zod', 'valibot', 'arktype', 'json', 'dto'];
  await tryAll(app, { entry: 'full.js', installed: OPTIONAL, tools, hasClients: true });
}

function install(app, packages) {
  run(app, 'npm', 'install', '--legacy-peer-deps', ...packages);
}

async function tryAll(app, { entry, installed, ...expected }) {
  for (const one of BUNDLES) {
    const name = `${entry} by ${one.bundler} as ${one.format}`;
    // Nothing above it has packages that the bundle could find after all.
    const place = mkdtempSync(join(tmpdir(), 'nestjs-mcp-bundle-'));
    try {
      const output = join(place, one.format === 'esm' ? 'main.mjs' : 'main.cjs');
      await bundle(one, { app, entry, output, installed });
      await tryBundle(output, expected);
      console.log(`${name} serves its tools over HTTP and stdio`);
    } catch (cause) {
      throw new Error(`${name} does not work`, { cause });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
}

/** Compiles as `nest build` does: with the types of constructors written down. */
function compile(app, name) {
  const { code } = transformFileSync(join(SOURCES, `${name}.ts`), {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
    module: { type: 'es6' },
  });
  writeFileSync(join(app, `${name}.js`), code);
}

/** Asks for the release that this repository is tested with. */
function ask(name) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name}@${version}`;
}
