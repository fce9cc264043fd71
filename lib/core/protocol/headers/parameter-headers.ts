import { HeaderValueError, isSameValue, parseHeaderValue } from './header-value.js';
import { SCHEMA_MAPS, VALUE_KEYWORDS } from '../json-schema.js';

/** An `x-mcp-header` annotation that would make clients reject the whole tool. */
export class ParameterHeaderError extends Error {
  override readonly name = 'ParameterHeaderError';

  constructor(
    /** The annotation's path in the schema, such as `properties.region`. */
    readonly location: string,
    explanation: string,
  ) {
    super(`The annotation "x-mcp-header" at "${location}" ${explanation}`);
  }
}

/** A tool parameter that clients mirror into a header (MCP 2026-07-28 server/tools, "x-mcp-header"). */
export interface ParameterHeader {
  /** The whole name in lower case, such as `mcp-param-region`. */
  readonly header: string;
  /** The names of the properties that lead from the arguments to the value. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

/** The keyword that annotates a parameter. */
export const HEADER_ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/**
 * Finds the parameters that an input schema annotates with `x-mcp-header`.
 *
 * @example
 * findParameterHeaders({ properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } });
 * // [{ header: 'mcp-param-region', path: ['region'], type: 'string' }]
 *
 * @throws {ParameterHeaderError} for an annotation that is malformed, used twice, on a type without a header form, or
 * not reachable from the root through `properties` only
 * @see MCP 2026-07-28 basic/transports, "Schema Extension"
 */
export function findParameterHeaders(inputSchema: object): readonly ParameterHeader[] {
  const headers = new Map<string, ParameterHeader>();
  visitSchema({ schema: inputSchema, keywords: [], path: [] }, headers);
  return [...headers.values()];
}

/**
 * Compares a call's `Mcp-Param-*` headers with its arguments. A value that no header can contain, such as an object,
 * needs none, because the input schema refuses it.
 *
 * @param requestHeaders the request headers, with names in lower case
 * @returns the first mismatch as a sentence for a -32020 response, or `undefined`
 * @see MCP 2026-07-28 basic/transports, "Server Behavior for Custom Headers"
 */
export function checkParameterHeaders(
  headers: readonly ParameterHeader[],
  requestHeaders: Readonly<Record<string, string | string[] | undefined>>,
  args: unknown,
): string | undefined {
  for (const { header, path } of headers) {
    const mismatch = findMismatch(requestHeaders[header], findValue(args, path));
    if (mismatch !== undefined) return `The header "${header}" ${mismatch} the argument "${path.join('.')}"`;
  }
  return undefined;
}

/** A schema, with the path from the root to it. */
interface SchemaVisit {
  readonly schema: unknown;
  readonly keywords: readonly string[];
  /** The property names so far; absent after another keyword. */
  readonly path: readonly string[] | undefined;
}

/** Visits a schema and its inner schemas; array indices count as keywords. */
function visitSchema(visit: SchemaVisit, headers: Map<string, ParameterHeader>): void {
  const { schema, keywords, path } = visit;
  if (typeof schema !== 'object' || schema === null) return;
  if (Object.hasOwn(schema, HEADER_ANNOTATION)) addHeader(visit, headers);
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === HEADER_ANNOTATION || VALUE_KEYWORDS.has(keyword)) continue;
    const deeper = { schema: value, keywords: [...keywords, keyword], path: undefined };
    if (!SCHEMA_MAPS.has(keyword)) visitSchema(deeper, headers);
    else visitMembers(deeper, keyword === 'properties' ? path : undefined, headers);
  }
}

/** Visits a map's schemas. Only schemas of `properties` extend the path. */
function visitMembers(
  map: SchemaVisit,
  path: readonly string[] | undefined,
  headers: Map<string, ParameterHeader>,
): void {
  for (const [name, schema] of Object.entries(Object(map.schema) as object)) {
    visitSchema({ schema, keywords: [...map.keywords, name], path: path && [...path, name] }, headers);
  }
}

function addHeader({ schema, keywords, path }: SchemaVisit, headers: Map<string, ParameterHeader>): void {
  const { [HEADER_ANNOTATION]: name, type } = schema as Record<string, unknown>;
  const fail = (explanation: string): never => {
    throw new ParameterHeaderError(keywords.join('.') || '(root)', explanation);
  };
  if (path === undefined || path.length === 0) {
    return fail('must be on a property that is reached through "properties" only: move it to one');
  }
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    return fail('is not a header name: use letters, digits and "-"');
  }
  if (!TYPES.includes(type)) {
    return fail('is on a property without a header form: set its type to "string", "integer" or "boolean"');
  }
  const header = `mcp-param-${name.toLowerCase()}`;
  if (headers.has(header)) return fail('is used twice, ignoring case: choose a different name');
  headers.set(header, { header, path, type: type as ParameterHeader['type'] });
}

function findValue(args: unknown, path: readonly string[]): unknown {
  let value = args;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Describes how a header differs from a value, phrased to fit mid-sentence. */
function findMismatch(header: string | string[] | undefined, value: unknown): string | undefined {
  const hasHeaderForm = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (header === undefined) return hasHeaderForm ? 'is missing: send it with' : undefined;
  if (value === undefined || value === null)
    return 'was sent without a value: omit it, or provide a value for';
  if (!hasHeaderForm) return 'cannot represent an array or an object: pass a single value for';
  const [text, ...others] = [header].flat();
  if (text === undefined || others.length > 0) return 'was sent more than once: send it once for';
  try {
    return isSameValue(parseHeaderValue(text), value) ? undefined : 'has a different value from';
  } catch (error) {
    if (error instanceof HeaderValueError) return 'is not encoded as the specification requires for';
    throw error;
  }
}
