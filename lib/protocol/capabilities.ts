import { isObject } from './json-rpc.js';

/** A JSON object whose members the protocol leaves open. */
export type OpenObject = { readonly [name: string]: unknown };

/** What a client can do for the server (MCP `ClientCapabilities`, all revisions). */
export interface ClientCapabilities {
  readonly experimental?: { readonly [name: string]: OpenObject };
  readonly extensions?: { readonly [id: string]: OpenObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly context?: OpenObject; readonly tools?: OpenObject };
  readonly elicitation?: { readonly form?: OpenObject; readonly url?: OpenObject };
  readonly tasks?: OpenObject;
}

/** What the server offers (MCP `ServerCapabilities`, all revisions). */
export interface ServerCapabilities {
  readonly experimental?: { readonly [name: string]: OpenObject };
  readonly extensions?: { readonly [id: string]: OpenObject };
  readonly logging?: OpenObject;
  readonly completions?: OpenObject;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  readonly tasks?: OpenObject;
}

/**
 * Adds a request's capabilities to a session's: nothing the session declared is revoked.
 *
 * @example
 * mergeCapabilities({ roots: {} }, { extensions: { 'io.example/x': {} } });
 * // { roots: {}, extensions: { 'io.example/x': {} } }
 */
export function mergeCapabilities(
  session: ClientCapabilities,
  request: ClientCapabilities,
): ClientCapabilities {
  return mergeObjects(session as OpenObject, request as OpenObject);
}

function mergeObjects(first: OpenObject, second: OpenObject): OpenObject {
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    if (name === '__proto__') continue;
    const present = Object.hasOwn(merged, name) ? merged[name] : undefined;
    if (isObject(present) && isObject(value)) merged[name] = mergeObjects(present, value);
    else if (!isDeclared(present)) merged[name] = value;
  }
  return merged;
}

function isDeclared(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
