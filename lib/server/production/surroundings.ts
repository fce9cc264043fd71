import { getHeapStatistics } from 'node:v8';
import type { INestApplicationContext } from '@nestjs/common';
import { HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { AuditTrail } from '../audit/audit-trail.js';
import { McpAudit } from '../audit/mcp-audit.js';
import { findDependencies } from '../catalog/discovery/providers.js';
import { selectDefaultServer } from '../catalog/discovery/server-assignments.js';
import { COMPOSED_SERVER, SERVER_IDENTITY, type ServerIdentity } from '../settings/mcp.constants.js';
import { getAuditToken } from '../settings/server-tokens.js';
import { readLimitFacts, type LimitFacts } from './limit-facts.js';

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

/** The audit of one server. */
interface AuditFacts {
  readonly server: string;
  /** Whether each operation must be audited. */
  readonly isRequired: boolean;
  /** Whether it has a subscriber, or is injected to get one when the application starts. */
  readonly isHeard: boolean;
}

/** What is needed of a server. */
interface AuditedServer {
  readonly parts: { readonly audit: { readonly trail: AuditTrail } };
}

/** Reads the subscribers of each server's audit. Nothing has to be started for this. */
function readAuditFacts(app: INestApplicationContext): readonly AuditFacts[] {
  const injected = listInjected(app.get(ModulesContainer, { strict: false }));
  const identities = app.get<ServerIdentity>(SERVER_IDENTITY, { strict: false, each: true });
  const byDefault = selectDefaultServer(identities);
  const servers = app.get<AuditedServer>(COMPOSED_SERVER, { strict: false, each: true });
  return servers.map(({ parts: { audit } }) => {
    const { server, isRequired, hasSubscribers: isHeard } = audit.trail;
    const tokens = [getAuditToken(server), ...(server === byDefault ? [McpAudit, getAuditToken()] : [])];
    return { server, isRequired, isHeard: isHeard || tokens.some((token) => injected.has(token)) };
  });
}

/** An alias leads to what somebody else injects. */
function listInjected(modules: ModulesContainer): ReadonlySet<unknown> {
  const hosts = [...modules.values()].flatMap(({ controllers, providers }) => [
    ...controllers.values(),
    ...providers.values(),
  ]);
  const own = hosts.filter(({ isAlias }) => !isAlias);
  return new Set(own.flatMap((host) => findDependencies(host).map(({ token }) => token)));
}

/** Lists the names of the classes of an application's modules, controllers and providers. */
function listTypeNames(modules: ModulesContainer): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { metatype, controllers, providers } of modules.values()) {
    names.add(metatype.name);
    for (const { metatype: type, instance } of [...controllers.values(), ...providers.values()]) {
      if (typeof type === 'function') names.add(type.name);
      const made = (instance as object | null | undefined)?.constructor;
      if (typeof made === 'function') names.add(made.name);
    }
  }
  return names;
}
