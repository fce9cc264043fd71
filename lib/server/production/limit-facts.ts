import type { INestApplicationContext } from '@nestjs/common';
import { ApplicationConfig, MetadataScanner, ModuleRef, ModulesContainer } from '@nestjs/core';
import { GUARDS_METADATA } from '../catalog/invocation/nest-contexts.js';
import {
  findSkipped,
  findThrottled,
  findThrottlerOptions,
  nameThrottlers,
} from '../limits/throttler-package.js';
import { HANDLER_METADATA, MCP_CONTROLLER } from '../settings/mcp.constants.js';

/** The application's limits for the rate of calls. */
export interface LimitFacts {
  /** The throttlers that `ThrottlerModule` has; absent without that module. */
  readonly throttlers: readonly string[] | undefined;
  /** Whether a guard for all routes counts requests at the endpoints. */
  readonly guardsEndpoints: boolean;
  /** How many handlers there are. */
  readonly handlers: number;
  /** How many of them have a limit of their own. */
  readonly limited: number;
}

/** Reads by what the application limits calls; nothing of it has to have started. */
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
  const controllers = app.get<object>(MCP_CONTROLLER, { strict: false, each: true });
  return controllers.some((controller) => findSkipped([controller]).length > 0);
}
