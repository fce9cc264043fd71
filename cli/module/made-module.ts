import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { INestApplication } from '@nestjs/common';
import type * as NestCore from '@nestjs/core';
import type * as Entry from '../../lib/index.js';
import type { Finding } from '../../lib/core/doctor/finding.js';
import { quoteAll } from '../../lib/core/words/words.js';
import { UsageError } from '../usage.error.js';

/** Creates an application: a module class, or a function that creates the application as `main.ts` does. */
type Maker = (new () => object) | (() => Promise<INestApplication>);

/** The exports to look for if none is named. */
const USUAL_NAMES = ['createApp', 'AppModule', 'default'];

/** An application that was created, but not started. */
export interface MadeApplication {
  /** This package, as the application imports it. */
  readonly entry: typeof Entry;
  readonly app: INestApplication;
  /** Whether a function created the application as `main.ts` does. */
  readonly isWhole: boolean;
}

/** The facts about an application that was created, but not started. */
export interface MadeModule {
  /** The findings about its settings in production. */
  readonly findings: readonly Finding[];
  /** Its servers' descriptions. */
  readonly servers: readonly Entry.ServerDescription[];
}

/**
 * Creates the application of a file without starting it, and reads its settings.
 *
 * @param target the file, followed by `#` and its export's name unless that is a default one
 */
export async function readModule(target: string): Promise<MadeModule> {
  const { entry, app, isWhole } = await makeApplication(target);
  return { findings: entry.examineForProduction(app, { isWhole }), servers: entry.describeServers(app) };
}

/**
 * Creates a file's application, without starting it.
 *
 * @throws {UsageError} if the file does not exist, or lacks the named export
 */
export async function makeApplication(target: string): Promise<MadeApplication> {
  const [path = '', name] = target.split('#', 2);
  const file = resolve(path);
  if (!existsSync(file))
    throw new UsageError(`The file "${path}" does not exist: build the application first`);
  const maker = selectMaker(await readExports(file), path, name);
  // The application may have its own copies of packages, whose classes and tokens differ from the CLI's.
  const require = createRequire(file);
  const load = (id: string): Promise<unknown> => import(pathToFileURL(require.resolve(id)).href);
  const entry = (await load('nestjs-mcp')) as typeof Entry;
  if (!isModule(maker)) return { entry, app: await maker(), isWhole: true };
  const { NestFactory } = (await load('@nestjs/core')) as typeof NestCore;
  const options = { logger: ['error' as const], abortOnError: false };
  return { entry, app: await NestFactory.create(maker, options), isWhole: false };
}

/** Node cannot detect the named exports of the CommonJS modules that some compilers emit. */
async function readExports(file: string): Promise<Record<string, unknown>> {
  const exported = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const { default: whole } = exported;
  return typeof whole === 'object' && whole !== null ? { ...whole, ...exported } : exported;
}

function selectMaker(exported: Record<string, unknown>, path: string, name: string | undefined): Maker {
  const names = name === undefined ? USUAL_NAMES : [name];
  const maker = names.map((one) => exported[one]).find((one) => typeof one === 'function');
  if (maker !== undefined) return maker as Maker;
  const wanted = quoteAll(names, ' or ');
  throw new UsageError(
    `"${path}" does not export ${wanted}: name a module, or a function that creates the application, as in "${path}#AppModule"`,
  );
}

function isModule(maker: Maker): maker is new () => object {
  return /^class\b/.test(Function.prototype.toString.call(maker));
}
