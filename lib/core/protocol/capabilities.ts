import { isObject } from './json-rpc.js';

/** A JSON object whose properties the protocol does not define. */
export type OpenObject = { readonly [name: string]: unknown };

/** A client's capabilities (MCP `ClientCapabilities`, all revisions). */
export interface ClientCapabilities {
  readonly experimental?: { readonly [name: string]: OpenObject };
  readonly extensions?: { readonly [id: string]: OpenObject };
  readonly roots?: { readonly listChanged?: boolean };
  readonly sampling?: { readonly context?: OpenObject; readonly tools?: OpenObject };
  readonly elicitation?: { readonly form?: OpenObject; readonly url?: OpenObject };
  readonly tasks?: OpenObject;
}

/** A server's capabilities (MCP `ServerCapabilities`, all revisions). */
export interface ServerCapabilities {
  readonly experimental?: { readonly [name: string]: OpenObject };
  readonly extensions?: { readonly [id: string]: OpenObject };
  readonly logging?: OpenObject;
  readonly completions?: OpenObject;
  readonly prompts?: { readonly listChanged?: boolean };
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean };
  readonly tools?: { readonly listChanged?: boolean };
  readonly tasks?: OpenObject;
  /** From the working group's events draft. No revision defines it. */
  readonly events?: { readonly listChanged?: boolean };
}

/**
 * Reads a client's declaration. Properties with the wrong type are omitted, because many libraries write `null` or
 * `false` for capabilities that they lack. Properties that no revision defines are preserved.
 *
 * @see MCP `ClientCapabilities`, all revisions
 */
export function parseCapabilities(declared: OpenObject): ClientCapabilities {
  // Every stateless request declares capabilities, and nearly every declaration is valid.
  if (Object.keys(declared).every((name) => isWellDeclared(name, declared[name]))) return declared;
  const members = Object.entries(declared).flatMap(([name, capability]) =>
    isObject(capability) ? [[name, selectParts(name, capability)] as const] : [],
  );
  return Object.fromEntries(members);
}

/** Returns whether an extension is declared, even if `extensions` is malformed. */
export function declaresExtension({ extensions }: ClientCapabilities, id: string): boolean {
  return isObject(extensions) && Object.hasOwn(extensions, id);
}

/** Returns whether a client notifies the server of changed roots (MCP client/roots, "Capabilities"). */
export function announcesRoots({ roots }: ClientCapabilities): boolean {
  return roots?.listChanged === true;
}

/**
 * Adds a request's capabilities to its session's capabilities, which take precedence.
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

function isWellDeclared(name: string, capability: unknown): boolean {
  if (!isObject(capability)) return false;
  return Object.keys(capability).every((part) => isPart(name, part, capability[part]));
}

function selectParts(name: string, capability: OpenObject): OpenObject {
  return Object.fromEntries(Object.entries(capability).filter(([part, value]) => isPart(name, part, value)));
}

/** The parts of `sampling` and `elicitation` that are themselves capabilities. */
const NAMED_PARTS: ReadonlySet<string> = new Set(['context', 'tools', 'form', 'url']);

function isPart(name: string, part: string, value: unknown): boolean {
  switch (name) {
    case 'experimental':
    case 'extensions':
      return isObject(value);
    case 'sampling':
    case 'elicitation':
      return isObject(value) || !NAMED_PARTS.has(part);
    case 'roots':
      return typeof value === 'boolean' || part !== 'listChanged';
    default:
      return true;
  }
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
