import { getHeapStatistics } from 'node:v8';
import type { INestApplicationContext } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { readAuditFacts, type AuditFacts } from './audit-facts.js';
import { readLimitFacts, type LimitFacts } from './limit-facts.js';
import { listTypeNames } from './list-type-names.js';

/** The surroundings of a server. */
export interface Surroundings {
  /** The variable `NODE_ENV`. */
  readonly nodeEnv: string | undefined;
  /** Whether a debugger may connect to the process. */
  readonly isInspected: boolean;
  readonly heapLimitBytes: number;
  /** What the container allows the process; absent if nothing does. */
  readonly memoryLimitBytes: number | undefined;
  /** By what calls are limited. */
  readonly limits: LimitFacts;
  /** The subscribers of each server's audit. */
  readonly audits: readonly AuditFacts[];
  /** The names of the classes of the application's modules and providers. */
  readonly typeNames: ReadonlySet<string>;
  /** What the application does around its modules; absent if these alone are known. */
  readonly main: MainFacts | undefined;
}

/** What an application does in its `main.ts`. */
export interface MainFacts {
  /** Which proxies the HTTP adapter trusts: all, some or none; absent if it does not say. */
  readonly trustedProxies: 'all' | 'some' | 'none' | undefined;
  /** Whether something listens for SIGTERM. */
  readonly hearsSignals: boolean;
  /** How long the HTTP server keeps a connection on which nothing comes; absent if it does not say. */
  readonly keepAliveTimeoutMs: number | undefined;
}

/** Reads the surroundings of an application. */
export function readSurroundings(app: INestApplicationContext, isWhole: boolean): Surroundings {
  const { NODE_ENV: nodeEnv, NODE_OPTIONS = '' } = process.env;
  return {
    nodeEnv,
    isInspected: [...process.execArgv, NODE_OPTIONS].some((option) => option.includes('--inspect')),
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    memoryLimitBytes: readMemoryLimit(),
    limits: readLimitFacts(app),
    audits: readAuditFacts(app),
    typeNames: listTypeNames(app.get(ModulesContainer, { strict: false })),
    main: isWhole ? readMain(app) : undefined,
  };
}

/** If nothing limits the process, Node returns `undefined`, or more than any machine has. */
function readMemoryLimit(): number | undefined {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < 2 ** 50 ? limit : undefined;
}

/** The members of an adapter, and of its underlying server, that are read here. */
interface KnownAdapter {
  getType(): string;
  getInstance(): object;
  getHttpServer(): { readonly keepAliveTimeout?: number } | null | undefined;
}

function readMain(app: INestApplicationContext): MainFacts {
  const { httpAdapter } = app.get(HttpAdapterHost, { strict: false });
  const adapter = (httpAdapter as KnownAdapter | null | undefined) ?? undefined;
  return {
    trustedProxies: adapter && readTrust(adapter),
    hearsSignals: process.listenerCount('SIGTERM') > 0,
    keepAliveTimeoutMs: adapter?.getHttpServer()?.keepAliveTimeout,
  };
}

function readTrust(adapter: KnownAdapter): MainFacts['trustedProxies'] {
  const instance = adapter.getInstance();
  const type = adapter.getType();
  if (type === 'express') return judgeTrust((instance as { get(name: string): unknown }).get('trust proxy'));
  if (type === 'fastify') return readTrustOfFastify(instance);
  return undefined;
}

/** Fastify shows its option nowhere else. */
function readTrustOfFastify(instance: object): MainFacts['trustedProxies'] {
  const key = Object.getOwnPropertySymbols(instance).find(
    ({ description }) => description === 'fastify.options',
  );
  const options: unknown = key && Reflect.get(instance, key);
  if (typeof options !== 'object' || options === null) return undefined;
  const { trustProxy } = options as { readonly trustProxy?: unknown };
  // It cannot tell proxies by their number, and trusts nobody then.
  return typeof trustProxy === 'number' ? 'none' : judgeTrust(trustProxy);
}

function judgeTrust(option: unknown): MainFacts['trustedProxies'] {
  if (option === true) return 'all';
  return option ? 'some' : 'none';
}
