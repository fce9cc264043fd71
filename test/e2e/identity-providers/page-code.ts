import { compileFunction } from 'node:vm';
import * as nest from '@nestjs/common';
import * as config from '@nestjs/config';
import { transformSync } from '@swc/core';
import * as library from 'nestjs-mcp';
import { findBlocks } from '../docs/snippets.js';

/** The secrets that pages read from the environment. */
const SECRETS = { ENTRA_SECRET: 'set ENTRA_SECRET', ZITADEL_SECRET: 'set ZITADEL_SECRET' };

const forRoot = () => config.ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => SECRETS] });

const PACKAGES: { readonly [name: string]: unknown } = {
  '@nestjs/common': nest,
  '@nestjs/config': { ...config, ConfigModule: { forRoot } },
  'nestjs-mcp': library,
};

/** Runs a TypeScript block of a page about an identity provider, as it stands there, and gives what it exports. */
export function runBlock(page: string, index = 0): { readonly [name: string]: unknown } {
  const block = findBlocks(`docs/identity-providers/${page}.md`).filter(({ language }) => language === 'ts')[
    index
  ];
  if (block === undefined) throw new Error(`"${page}" has no block of TypeScript with the number ${index}`);
  const { code } = transformSync(block.text, {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
  });
  const exported: { readonly [name: string]: unknown } = {};
  const load = (name: string) => {
    if (name in PACKAGES) return PACKAGES[name];
    throw new Error(`"${page}" imports "${name}", which is not here`);
  };
  const run = compileFunction(code, ['require', 'exports', 'fetch']);
  run(load, exported, (...call: Parameters<typeof fetch>) => globalThis.fetch(...call));
  return exported;
}
