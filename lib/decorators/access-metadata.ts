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

/** Gives who may call a method of a class: what both say together, or the method alone where it says the opposite. */
export function readAccessMetadata(classRef: object, method: object): AccessOptions {
  const ofClass: AccessMetadata = Reflect.getMetadata(ACCESS_METADATA, classRef) ?? {};
  const ofMethod: AccessMetadata = Reflect.getMetadata(ACCESS_METADATA, method) ?? {};
  const isPublic = ofMethod.isPublic ?? (ofMethod.scopes === undefined && ofClass.isPublic === true);
  const inherited = ofMethod.isPublic === true ? [] : (ofClass.scopes ?? []);
  const requiredScopes = uniteScopes(inherited, ofMethod.scopes ?? []);
  return { ...(isPublic && { isPublic }), ...(requiredScopes.length > 0 && { requiredScopes }) };
}
