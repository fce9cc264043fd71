import { isScope, isScopeTemplate, ScopeTemplate } from '../../core/oauth/scope.js';
import type { OpenArguments, ScopeRequirement } from '../settings/scoped-call.interface.js';
import type { ConcurrencyOptions, AccessOptions } from '../settings/handler-options.interface.js';
import 'reflect-metadata';
import { ACCESS_METADATA } from '../settings/mcp.constants.js';

/**
 * Requires scopes of the caller's token. On a class, it applies to every handler of the class and of its subclasses.
 *
 * Scopes are checked before the handler and everything around it run. If one is missing, the answer over HTTP is 403,
 * with a challenge that names every scope of the call. The metadata lists the scopes too.
 *
 * A scope may depend on the call. `project:{project}:read` takes the value of an argument or of a variable of the URI
 * template. A function returns scopes. Clients learn these scopes only from the challenge of a call.
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
  if (scopes.length === 0) throw new TypeError('"RequireScope" must name a scope such as "desk:write"');
  for (const scope of scopes) assertRequirement(scope);
  // Each function is called with the arguments of its handler, which have the type of its parameter.
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
    `"RequireScope" cannot require ${JSON.stringify(scope)}: a scope has no spaces or quotes`,
  );
}

function isPlainScope(scope: unknown): boolean {
  return isScope(scope) && !isScopeTemplate(scope);
}

/**
 * Lets callers without a token call a handler, or every handler of a class, on a server that requires tokens.
 *
 * If a server has a public handler, callers without a token can also initialize and see its lists.
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
 * Limits how many calls of a handler run at once in this process. On a class, it limits the calls of all its handlers
 * together, except handlers that have their own limit. Handlers with the same options object share one limit.
 *
 * A call above the limit waits in a queue, in which callers take turns. If the queue is full, the call is refused with
 * {@link RateLimitedError}, which says when to call again.
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

/** The access that a decorator declares: scopes, or no token, and how many calls at once. */
export interface AccessMetadata {
  readonly scopes?: readonly ScopeRequirement[];
  readonly isPublic?: boolean;
  readonly concurrency?: ConcurrencyOptions;
}

/**
 * Makes a decorator that adds to what the others on the same class or method say of access.
 *
 * Declarations are kept by the method's name, so that a decorator that replaces the function cannot remove a scope.
 */
function addAccessMetadata(build: (present: AccessMetadata) => AccessMetadata) {
  return (target: object, name?: string | symbol): void => {
    const present = readOwn(target, name);
    if (name === undefined) Reflect.defineMetadata(ACCESS_METADATA, build(present), target);
    else Reflect.defineMetadata(ACCESS_METADATA, build(present), target, name);
  };
}

/**
 * Returns the access of a method: the declarations of its classes, base classes first, together with its own. Each adds
 * scopes to those before it, or says the opposite, which then counts alone.
 */
export function readAccessMetadata(classRef: object, method: object): AccessOptions {
  return combine(readClassAccess(classRef), readMethodAccess(classRef, method));
}

/** Tells whether decorators on a method of a class itself say who may call it. */
export function hasAccessMetadata(classRef: object, method: object): boolean {
  return Object.keys(readMethodAccess(classRef, method)).length > 0;
}

/** Returns what decorators on a method itself say. */
export function readMethodAccess(classRef: object, method: object): AccessMetadata {
  return readOfMethod(Reflect.get(classRef, 'prototype'), method);
}

/** Returns what decorators on a class and on those that it extends say. */
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

/** Most methods are kept under the name that they have: a class with many handlers is not searched for each of them. */
function findName(prototype: object, method: object): string | symbol | undefined {
  const isAt = (key: string | symbol) => Object.getOwnPropertyDescriptor(prototype, key)?.value === method;
  const { name } = method as { readonly name?: unknown };
  if (typeof name === 'string' && isAt(name)) return name;
  return Reflect.ownKeys(prototype).find(isAt);
}

/** Lists a class behind those that it extends. */
function listClasses(classRef: object): readonly object[] {
  const parent: object | null = Object.getPrototypeOf(classRef);
  return parent === null || parent === Function.prototype ? [classRef] : [...listClasses(parent), classRef];
}

function combine(
  before: AccessOptions,
  { concurrency = before.concurrency, ...said }: AccessMetadata,
): AccessOptions {
  return { ...combineScopes(before, said), ...(concurrency && { concurrency }) };
}

function combineScopes(before: AccessOptions, { scopes, isPublic }: AccessMetadata): AccessOptions {
  if (isPublic === true) return { isPublic, ...(scopes && { requiredScopes: scopes }) };
  if (scopes === undefined) return before;
  return { requiredScopes: [...new Set([...(before.requiredScopes ?? []), ...scopes])] };
}
