import 'reflect-metadata';
import { uniteScopes } from '../oauth/scope.js';
import type { AccessOptions } from '../settings/handler-options.interface.js';
import { ACCESS_METADATA } from '../settings/mcp.constants.js';

/** What a decorator says of who may call: with which scopes, or without a token. */
export interface AccessMetadata {
  readonly scopes?: readonly string[];
  readonly isPublic?: boolean;
}

/** Makes a decorator that adds to what the others on the same class or method say of access. */
export function addAccessMetadata(build: (present: AccessMetadata) => AccessMetadata) {
  return (target: object, _name?: string | symbol, descriptor?: PropertyDescriptor): void => {
    const owner: object = descriptor?.value ?? target;
    const present: AccessMetadata = Reflect.getOwnMetadata(ACCESS_METADATA, owner) ?? {};
    Reflect.defineMetadata(ACCESS_METADATA, build(present), owner);
  };
}

/**
 * Gives who may call a method of a class: what its classes, the highest first, and the method say together. Each adds scopes
 * to those before it, or says the opposite, which then counts alone.
 */
export function readAccessMetadata(classRef: object, method: object): AccessOptions {
  const owners = [...listClasses(classRef), method];
  return owners.map(readOwn).reduce<AccessOptions>(combine, {});
}

function readOwn(owner: object): AccessMetadata {
  return Reflect.getOwnMetadata(ACCESS_METADATA, owner) ?? {};
}

/** Lists a class behind those that it extends. */
function listClasses(classRef: object): readonly object[] {
  const parent: object | null = Object.getPrototypeOf(classRef);
  return parent === null || parent === Function.prototype ? [classRef] : [...listClasses(parent), classRef];
}

function combine(before: AccessOptions, { scopes, isPublic }: AccessMetadata): AccessOptions {
  if (isPublic === true) return { isPublic, ...(scopes && { requiredScopes: scopes }) };
  if (scopes === undefined) return before;
  return { requiredScopes: uniteScopes(before.requiredScopes ?? [], scopes) };
}
