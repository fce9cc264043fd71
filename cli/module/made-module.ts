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

/** What an application is made by: a module, or a function that makes it as `main.ts` does. */
type Maker = (new () => object) | (() => Promise<INestApplication>);

/** The names of functions that create an application, if none is given. */
const USUAL_NAMES = ['createApp', 'AppModule', 'default'];

/** An application that is made, and not started. */
export interface MadeApplication {
  /** This package, as the application has it. */
  readonly entry: typeof Entry;
  readonly app: INestApplication;
  /** Whether the application is as its `main.ts` makes it. */
  readonly isWhole: boolean;
}

/** What is known of an application that is made, and not started. */
export interface MadeModule {
  /** What its settings are in production. */
  readonly findings: readonly Finding[];
  /** What its servers say of themselves. */
  readonly servers: readonly Entry.ServerDescription[];
}

/**
 * Makes the application of a file, without starting it, and reads its settings.
 *
 * @param target the file, with the name of its export behind `#` if that is not a usual one
 */
export async function readModule(target: string): Promise<MadeModule> {
  const { entry, app, isWhole } = await makeApplication(target);
  return { findings: entry.examineForProduction(app, { isWhole }), servers: entry.describeServers(app) };
}

/**
 * Makes the application of a file, without starting it.
 *
 * @throws {UsageError} if there is no such file, or it does not export what is named
 */
export async function makeApplication(target: string): Promise<MadeApplication> {
  const [path = '', name] = target.split('#', 2);
  const file = resolve(path);
  if (!existsSync(file)) throw new UsageError(`There is no file "${path}": build the application first`);
  const maker = selectMaker(await readExports(file), path, name);
  // The application may have its own copies of packages. Their classes and tokens differ from those of the command line.
  const require = createRequire(file);
  const load = (id: string): Promise<unknown> => import(pathToFileURL(require.resolve(id)).href);
  const entry = (await load('nestjs-mcp')) as typeof Entry;
  if (!isModule(maker)) return { entry, app: await maker(), isWhole: true };
  const { NestFactory } = (await load('@nestjs/core')) as typeof NestCore;
  const options = { logger: ['error' as const], abortOnError: false };
  return { entry, app: await NestFactory.create(maker, options), isWhole: false };
}

/** Some compilers write modules of CommonJS whose exports Node does not know one by one. */
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
    `"${path}" exports no ${wanted}: name a module, or a function that makes the application, as "${path}#AppModule"`,
  );
}

function isModule(maker: Maker): maker is new () => object {
  return /^class\b/.test(Function.prototype.toString.call(maker));
}
