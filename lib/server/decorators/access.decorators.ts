import { isScope, isScopeTemplate, ScopeTemplate } from '../../core/oauth/scope.js';
import type { OpenArguments, ScopeRequirement } from '../settings/scoped-call.interface.js';
import type { ConcurrencyOptions, AccessOptions } from '../settings/handler-options.interface.js';
import 'reflect-metadata';
import { ACCESS_METADATA } from '../settings/mcp.constants.js';

/**
 * Requires the caller's token to have certain scopes. On a class, it applies to every handler of the class and its
 * subclasses.
 *
 * Scopes are checked before the handler and its guards, pipes and interceptors run. If one is missing, the response
 * over HTTP is 403, with a challenge that names every scope that the call requires. The protected resource metadata
 * lists the scopes too.
 *
 * A scope may depend on the call. In `project:{project}:read`, `{project}` stands for the value of an argument or a
 * URI template variable. A function can compute the scopes instead. Clients learn about these scopes only from the
 * challenge to a call.
 *
 * @throws {TypeError} if a scope is malformed
 * @example
 * class TicketTools { @Tool() @RequireScope('desk:write')
 *   close({ id }: { id: number }) {
 *     return this.tickets.close(id);
 *   }
 * }
 * @example
 * class ProjectResources { @ResourceTemplate({ uriTemplate: 'project://{project}/plan' }) @RequireScope('project:{project}:read')
 *   plan({ project }: { project: string }) {
 *     return this.plans.get(project);
 *   }
 * }
 *
 * @see MCP 2026-07-28 basic/authorization
 */
export function RequireScope<Arguments extends object = OpenArguments>(
  ...scopes: readonly ScopeRequirement<Arguments>[]
): ClassDecorator & MethodDecorator {
  if (scopes.length === 0) throw new TypeError('"RequireScope" requires a scope, such as "desk:write"');
  for (const scope of scopes) assertRequirement(scope);
  // Each function is called with its handler's arguments, which match its parameter type.
  const required = scopes as readonly ScopeRequirement[];
  return addAccessMetadata((present) => ({
    ...present,
    // Decorators run from the bottom up, and scopes are listed from the top down.
    scopes: [...new Set([...required, ...(present.scopes ?? [])])],
  }));
}

function assertRequirement(scope: unknown): void {
  if (typeof scope === 'function' || isPlainScope(scope)) return;
  if (typeof scope === 'string' && isScopeTemplate(scope)) return void new ScopeTemplate(scope);
  throw new TypeError(
    `"RequireScope" cannot require ${JSON.stringify(scope)}: a scope must not contain spaces or quotes`,
  );
}

function isPlainScope(scope: unknown): boolean {
  return isScope(scope) && !isScopeTemplate(scope);
}

/**
 * Lets callers without a token call a handler, or every handler of a class, on a server that requires tokens.
 *
 * If a server has a public handler, callers without a token can also initialize and list entries.
 *
 * @example
 * class HelpTools { @Tool({ description: 'Tells the opening hours' }) @Public()
 *   hours() {
 *     return 'Monday to Friday, 9 to 17';
 *   }
 * }
 */
export function Public(): ClassDecorator & MethodDecorator {
  return addAccessMetadata((present) => ({ ...present, isPublic: true }));
}

/**
 * Limits how many calls of a handler run concurrently in this process. On a class, it limits the calls of all its
 * handlers combined, except handlers with their own limit. Handlers with the same options object share one limit.
 *
 * Calls above the limit wait in a queue that is fair to callers. If the queue is full, the call is rejected with
 * {@link RateLimitedError}, which contains the time to wait before a retry.
 *
 * @example
 * class ReportTools { @Tool() @Concurrency({ maxPerCaller: 1, max: 4, queue: 20 })
 *   write({ year }: { year: number }) {
 *     return this.reports.write(year);
 *   }
 * }
 */
export function Concurrency(options: ConcurrencyOptions): ClassDecorator & MethodDecorator {
  return addAccessMetadata((present) => ({ ...present, concurrency: options }));
}

/** The access that a decorator declares: scopes, or public access, and how many calls may run concurrently. */
export interface AccessMetadata {
  readonly scopes?: readonly ScopeRequirement[];
  readonly isPublic?: boolean;
  readonly concurrency?: ConcurrencyOptions;
}

/**
 * Creates a decorator that adds to the access declared by other decorators on the same class or method.
 *
 * Declarations are stored under the method's name, so a decorator that replaces the function cannot drop a scope.
 */
function addAccessMetadata(build: (present: AccessMetadata) => AccessMetadata) {
  return (target: object, name?: string | symbol): void => {
    const present = readOwn(target, name);
    if (name === undefined) Reflect.defineMetadata(ACCESS_METADATA, build(present), target);
    else Reflect.defineMetadata(ACCESS_METADATA, build(present), target, name);
  };
}

/**
 * Returns a method's access: the declarations on its classes, base classes first, then those on the method. A
 * declaration adds its scopes to the earlier ones. A contradictory one, such as `@Public()` after scopes, replaces
 * them.
 */
export function readAccessMetadata(classRef: object, method: object): AccessOptions {
  return combine(readClassAccess(classRef), readMethodAccess(classRef, method));
}

/** Returns whether decorators on the method itself declare access. */
export function hasAccessMetadata(classRef: object, method: object): boolean {
  return Object.keys(readMethodAccess(classRef, method)).length > 0;
}

/** Returns the access that decorators on a method declare. */
export function readMethodAccess(classRef: object, method: object): AccessMetadata {
  return readOfMethod(Reflect.get(classRef, 'prototype'), method);
}

/** Returns the access that decorators on a class and its base classes declare. */
export function readClassAccess(classRef: object): AccessOptions {
  return listClasses(classRef)
    .map((owner) => readOwn(owner))
    .reduce<AccessOptions>(combine, {});
}

function readOwn(owner: object, name?: string | symbol): AccessMetadata {
  const own: AccessMetadata | undefined =
    name === undefined
      ? Reflect.getOwnMetadata(ACCESS_METADATA, owner)
      : Reflect.getOwnMetadata(ACCESS_METADATA, owner, name);
  return own ?? {};
}

/** Reads the declarations on a method where it is defined: in its class, or in a base class. */
function readOfMethod(prototype: object | null | undefined, method: object): AccessMetadata {
  if (prototype === null || prototype === undefined) return {};
  const name = findName(prototype, method);
  if (name !== undefined) return readOwn(prototype, name);
  return readOfMethod(Object.getPrototypeOf(prototype), method);
}

/** Most methods are stored under their own name, which avoids searching the class for each handler. */
function findName(prototype: object, method: object): string | symbol | undefined {
  const isAt = (key: string | symbol) => Object.getOwnPropertyDescriptor(prototype, key)?.value === method;
  const { name } = method as { readonly name?: unknown };
  if (typeof name === 'string' && isAt(name)) return name;
  return Reflect.ownKeys(prototype).find(isAt);
}

/** Lists a class after the classes that it extends. */
function listClasses(classRef: object): readonly object[] {
  const parent: object | null = Object.getPrototypeOf(classRef);
  return parent === null || parent === Function.prototype ? [classRef] : [...listClasses(parent), classRef];
}

function combine(
  before: AccessOptions,
  { concurrency = before.concurrency, ...declared }: AccessMetadata,
): AccessOptions {
  return { ...combineScopes(before, declared), ...(concurrency && { concurrency }) };
}

function combineScopes(before: AccessOptions, { scopes, isPublic }: AccessMetadata): AccessOptions {
  if (isPublic === true) return { isPublic, ...(scopes && { requiredScopes: scopes }) };
  if (scopes === undefined) return before;
  return { requiredScopes: [...new Set([...(before.requiredScopes ?? []), ...scopes])] };
}
