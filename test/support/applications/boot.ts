import 'reflect-metadata';
import type { INestApplication, ModuleMetadata, NestApplicationOptions, Type } from '@nestjs/common';
import { NestFactory, type AbstractHttpAdapter } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';

export type AdapterName = 'express' | 'fastify';

/** The adapters that every feature is proved on: `describe.each(ADAPTERS)('… on %s', (adapter) => …)`. */
export const ADAPTERS: readonly AdapterName[] = ['express', 'fastify'];

/** How an application is started. */
export interface BootOptions {
  /** @default 'express' */
  readonly adapter?: AdapterName | AbstractHttpAdapter;
  /** Prepares the application before it listens: global prefix, pipes, CORS. */
  readonly configure?: (app: INestApplication) => void | Promise<void>;
  /** Takes the addresses of callers from a proxy, for an adapter that is named. @default false */
  readonly trustProxy?: boolean;
  /** The path that `url` ends with. @default '/mcp' */
  readonly path?: string;
  /** Where it listens. @default a free port */
  readonly port?: number;
  /** @default { logger: false, abortOnError: false } */
  readonly nest?: NestApplicationOptions;
}

/** Either a module class, or what an application's root module would be decorated with. */
export type AppOptions = BootOptions & ({ readonly module: Type } | ModuleMetadata);

/** An application that listens on a free port of 127.0.0.1. */
export interface RunningApp {
  readonly app: INestApplication;
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  readonly port: number;
  /** The MCP endpoint. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts an application as its own `main.ts` would.
 *
 * @example
 * const desk = await bootApp({ imports: [McpModule.forRoot({ serverInfo })], providers: [TicketTools] });
 */
export async function bootApp(options: AppOptions): Promise<RunningApp> {
  const app = await NestFactory.create(selectRootModule(options), createAdapter(options), {
    logger: false,
    abortOnError: false,
    // The clients of these tests keep connections open that have no request; Node waits for them otherwise.
    forceCloseConnections: true,
    ...options.nest,
  });
  return listen(app, options);
}

/** Starts an application from a testing module, which `override` may change before it is compiled. */
export async function bootTestingApp(
  options: AppOptions & { readonly override?: (builder: TestingModuleBuilder) => TestingModuleBuilder },
): Promise<RunningApp> {
  const builder = Test.createTestingModule({ imports: [selectRootModule(options)] });
  const compiled: TestingModule = await (options.override?.(builder) ?? builder).compile();
  const app = compiled.createNestApplication(createAdapter(options), {
    logger: false,
    forceCloseConnections: true,
    ...options.nest,
  });
  return listen(app, options);
}

function selectRootModule(options: AppOptions) {
  if ('module' in options) return options.module;
  const { imports, providers, controllers, exports } = options;
  return {
    module: class AppModule {},
    ...(imports && { imports }),
    ...(providers && { providers }),
    ...(controllers && { controllers }),
    ...(exports && { exports }),
  };
}

function createAdapter({ adapter = 'express', trustProxy = false }: BootOptions): AbstractHttpAdapter {
  if (typeof adapter !== 'string') return adapter;
  // In Nest 11 the option of that name that an application is created with does not reach Fastify.
  if (adapter === 'fastify') return new FastifyAdapter({ forceCloseConnections: true, trustProxy });
  const express = new ExpressAdapter();
  express.set('trust proxy', trustProxy);
  return express;
}

async function listen(
  app: INestApplication,
  { configure, path = '/mcp', port = 0 }: BootOptions,
): Promise<RunningApp> {
  await configure?.(app);
  await app.listen(port, '127.0.0.1');
  const origin = await app.getUrl();
  return {
    app,
    origin,
    port: Number(new URL(origin).port),
    url: `${origin}${path}`,
    close: () => app.close(),
  };
}
