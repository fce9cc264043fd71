import {
  findParameterHeaders,
  type ParameterHeader,
} from '../../lib/core/protocol/headers/parameter-headers.js';
import { formatHeaderValue } from '../../lib/core/protocol/headers/header-value.js';
import { isObject, type JsonObject } from '../../lib/core/protocol/json-rpc.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import type { NamedCall } from './bench-options.js';
import type { McpRequest } from './wire/mcp-request.js';

/**
 * Builds a call to a named tool.
 *
 * @throws {UsageError} if the server lists no such tool
 */
export function buildNamedCall(
  { tool: name, arguments: given }: NamedCall,
  tools: readonly JsonObject[],
): McpRequest {
  const tool = tools.find((one) => one['name'] === name);
  if (tool !== undefined) return buildCall(tool, given);
  const names =
    tools.length === 0 ? 'none' : tools.map((one) => quoteVisible(String(one['name']))).join(', ');
  throw new UsageError(`The server has no tool ${quoteVisible(name)}: it has ${names}`);
}

/** Builds a call to the first read-only tool without required arguments. Returns `undefined` if there is none. */
export function findHarmlessCall(tools: readonly JsonObject[]): McpRequest | undefined {
  const tool = tools.find(isHarmless);
  return tool && buildCall(tool, {});
}

function isHarmless({ name, annotations, inputSchema, execution }: JsonObject): boolean {
  const required = isObject(inputSchema) ? inputSchema['required'] : undefined;
  const needsTask = isObject(execution) && execution['taskSupport'] === 'required';
  const { readOnlyHint, openWorldHint } = isObject(annotations) ? annotations : {};
  // A tool that calls other systems would put load on them.
  const onlyReads = readOnlyHint === true && openWorldHint !== true;
  const needsNothing = required === undefined || (Array.isArray(required) && required.length === 0);
  return typeof name === 'string' && onlyReads && needsNothing && !needsTask;
}

function buildCall({ name, inputSchema }: JsonObject, given: JsonObject): McpRequest {
  return {
    method: 'tools/call',
    params: { name, arguments: given },
    mirrored: mirrorArguments(inputSchema, given),
  };
}

/** A 2026-07-28 server may require arguments in headers too. */
function mirrorArguments(inputSchema: unknown, given: JsonObject): { readonly [name: string]: string } {
  const mirrored = findHeaders(inputSchema).flatMap(({ header, path }) => {
    const value = path.reduce<unknown>((one, name) => (isObject(one) ? one[name] : undefined), given);
    const isSingle = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return isSingle ? [[header, formatHeaderValue(value)] as const] : [];
  });
  return Object.fromEntries(mirrored);
}

/** Invalid annotations are left for the server to reject. */
function findHeaders(inputSchema: unknown): readonly ParameterHeader[] {
  try {
    return isObject(inputSchema) ? findParameterHeaders(inputSchema) : [];
  } catch {
    return [];
  }
}
