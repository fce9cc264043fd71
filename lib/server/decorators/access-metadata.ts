import 'reflect-metadata';
import type { AccessOptions } from '../settings/handler-options.interface.js';
import type { ConcurrencyOptions } from '../settings/concurrency-options.interface.js';
import type { ScopeRequirement } from '../settings/scoped-call.interface.js';
import { ACCESS_METADATA } from '../settings/mcp.constants.js';

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
export function addAccessMetadata(build: (present: AccessMetadata) => AccessMetadata) {
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
