import { getHeapStatistics } from 'node:v8';
import type { INestApplicationContext } from '@nestjs/common';
import {
  HttpAdapterHost,
  ModulesContainer,
  ApplicationConfig,
  MetadataScanner,
  ModuleRef,
} from '@nestjs/core';
import type { AuditTrail } from '../audit/audit-trail.js';
import { McpAudit } from '../audit/mcp-audit.js';
import { findDependencies, findProvided } from '../catalog/discovery/providers.js';
import { selectDefaultServer } from '../catalog/discovery/server-assignments.js';
import {
  AUTHORIZATION_SERVER_FACTS,
  type AuthorizationServerFacts,
  COMPOSED_SERVER,
  SERVER_IDENTITY,
  type ServerIdentity,
  HANDLER_METADATA,
  MCP_CONTROLLER,
} from '../settings/mcp.constants.js';
import { getAuditToken } from '../settings/server-tokens.js';
import { GUARDS_METADATA } from '../catalog/invocation/nest-contexts.js';
import {
  findThrottlerOptions,
  nameThrottlers,
  findSkipped,
  findThrottled,
} from '../limits/throttler-package.js';

/** A server's deployment: its application, process and limits. */
export interface Deployment {
  /** The variable `NODE_ENV`. */
  readonly nodeEnv: string | undefined;
  /** Whether a debugger may connect to the process. */
  readonly isInspected: boolean;
  readonly heapLimitBytes: number;
  /** The container's memory limit; absent without one. */
  readonly memoryLimitBytes: number | undefined;
  /** The rate limits. */
  readonly limits: LimitFacts;
  /** The application's authorization servers. */
  readonly authorizationServers: readonly AuthorizationServerFacts[];
  /** Each server's audit subscribers. */
  readonly audits: readonly AuditFacts[];
  /** The names of the application's module and provider classes. */
  readonly typeNames: ReadonlySet<string>;
  /** What `main.ts` configures; absent if only the modules are known. */
  readonly main: MainFacts | undefined;
}

/** What an application configures in its `main.ts`. */
export interface MainFacts {
  /** Which proxies the HTTP adapter trusts: all, some or none; absent if unknown. */
  readonly trustedProxies: 'all' | 'some' | 'none' | undefined;
  /** Whether something listens for SIGTERM. */
  readonly hearsSignals: boolean;
  /** The HTTP server's keep-alive timeout; absent if unknown. */
  readonly keepAliveTimeoutMs: number | undefined;
}

/** Reads an application's deployment. */
export function readDeployment(app: INestApplicationContext, isWhole: boolean): Deployment {
  const { NODE_ENV: nodeEnv, NODE_OPTIONS = '' } = process.env;
  return {
    nodeEnv,
    isInspected: [...process.execArgv, NODE_OPTIONS].some((option) => option.includes('--inspect')),
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    memoryLimitBytes: readMemoryLimit(),
    limits: readLimitFacts(app),
    authorizationServers: findProvided<AuthorizationServerFacts>(app, AUTHORIZATION_SERVER_FACTS),
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

/** The properties that are read from an adapter and its underlying server. */
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
  if (type === 'express')
    return classifyTrust((instance as { get(name: string): unknown }).get('trust proxy'));
  if (type === 'fastify') return readTrustOfFastify(instance);
  return undefined;
}

/** Fastify does not expose its option anywhere else. */
function readTrustOfFastify(instance: object): MainFacts['trustedProxies'] {
  const key = Object.getOwnPropertySymbols(instance).find(
    ({ description }) => description === 'fastify.options',
  );
  const options: unknown = key && Reflect.get(instance, key);
  if (typeof options !== 'object' || options === null) return undefined;
  const { trustProxy } = options as { readonly trustProxy?: unknown };
  // Fastify does not support a proxy count. If one is set, it trusts no proxy.
  return typeof trustProxy === 'number' ? 'none' : classifyTrust(trustProxy);
}

function classifyTrust(option: unknown): MainFacts['trustedProxies'] {
  if (option === true) return 'all';
  return option ? 'some' : 'none';
}

/** One server's audit. */
interface AuditFacts {
  readonly server: string;
  /** Whether each operation must be audited. */
  readonly isRequired: boolean;
  /** Whether it has a subscriber, or is injected and so gets one when the application starts. */
  readonly isHeard: boolean;
}

/** The part of a server that these checks read. */
interface AuditedServer {
  readonly parts: { readonly audit: { readonly trail: AuditTrail } };
}

/** Reads each server's audit subscribers, without starting anything. */
function readAuditFacts(app: INestApplicationContext): readonly AuditFacts[] {
  const injected = listInjected(app.get(ModulesContainer, { strict: false }));
  const identities = findProvided<ServerIdentity>(app, SERVER_IDENTITY);
  const byDefault = selectDefaultServer(identities);
  const servers = findProvided<AuditedServer>(app, COMPOSED_SERVER);
  return servers.map(({ parts: { audit } }) => {
    const { server, isRequired, hasSubscribers: isHeard } = audit.trail;
    const tokens = [getAuditToken(server), ...(server === byDefault ? [McpAudit, getAuditToken()] : [])];
    return { server, isRequired, isHeard: isHeard || tokens.some((token) => injected.has(token)) };
  });
}

/** An alias only points to another provider, which is listed itself. */
function listInjected(modules: ModulesContainer): ReadonlySet<unknown> {
  const hosts = [...modules.values()].flatMap(({ controllers, providers }) => [
    ...controllers.values(),
    ...providers.values(),
  ]);
  const own = hosts.filter(({ isAlias }) => !isAlias);
  return new Set(own.flatMap((host) => findDependencies(host).map(({ token }) => token)));
}

/** Lists the class names of an application's modules, controllers and providers. */
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

/** The application's rate limits. */
export interface LimitFacts {
  /** The throttlers configured in `ThrottlerModule`; absent without that module. */
  readonly throttlers: readonly string[] | undefined;
  /** Whether a guard for all routes counts requests at the endpoints. */
  readonly guardsEndpoints: boolean;
  /** The number of handlers. */
  readonly handlers: number;
  /** The number of handlers that declare a limit. */
  readonly limited: number;
}

/** Reads the application's rate limits, even before it has started. */
export function readLimitFacts(app: INestApplicationContext): LimitFacts {
  const options = findThrottlerOptions(app.get(ModuleRef));
  const handlers = listHandlers(app.get(ModulesContainer, { strict: false }));
  return {
    throttlers: options && nameThrottlers(options),
    guardsEndpoints: hasThrottlerGuard(findGlobalGuards(app)) && !areEndpointsSkipped(app),
    handlers: handlers.length,
    limited: handlers.filter(isLimited).length,
  };
}

/** A method and its class. Both may have decorators. */
type Decorated = readonly [method: object, classRef: object];

function listHandlers(modules: ModulesContainer): readonly Decorated[] {
  const scanner = new MetadataScanner();
  const classes = new Set<object>();
  for (const { controllers, providers } of modules.values()) {
    for (const { metatype } of [...controllers.values(), ...providers.values()]) {
      if (typeof metatype === 'function' && metatype.prototype !== undefined) classes.add(metatype);
    }
  }
  return [...classes].flatMap((classRef) => {
    const prototype = Reflect.get(classRef, 'prototype') as object;
    return scanner.getAllMethodNames(prototype).flatMap((name): readonly Decorated[] => {
      const method: unknown = Reflect.get(prototype, name);
      return typeof method === 'function' && Reflect.hasMetadata(HANDLER_METADATA, method)
        ? [[method, classRef]]
        : [];
    });
  });
}

function isLimited(decorated: Decorated): boolean {
  if (findThrottled(decorated).length > 0) return true;
  const guards = decorated.flatMap(
    (owner) => (Reflect.getMetadata(GUARDS_METADATA, owner) as readonly unknown[] | undefined) ?? [],
  );
  return hasThrottlerGuard(guards);
}

function findGlobalGuards(app: INestApplicationContext): readonly unknown[] {
  const config = app.get(ApplicationConfig, { strict: false });
  return [...config.getGlobalGuards(), ...config.getGlobalRequestGuards().map(({ metatype }) => metatype)];
}

/** The application may have another copy of the package, so its guard is recognized by name. */
function hasThrottlerGuard(guards: readonly unknown[]): boolean {
  return guards.some((guard) => {
    let type = typeof guard === 'function' ? guard : (guard as object | undefined)?.constructor;
    for (; typeof type === 'function' && type.name !== ''; type = Object.getPrototypeOf(type)) {
      if (type.name === 'ThrottlerGuard') return true;
    }
    return false;
  });
}

function areEndpointsSkipped(app: INestApplicationContext): boolean {
  const controllers = findProvided<object>(app, MCP_CONTROLLER);
  return controllers.some((controller) => findSkipped([controller]).length > 0);
}
