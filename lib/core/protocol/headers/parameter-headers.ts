import { HeaderValueError, isSameValue, parseHeaderValue } from './header-value.js';
import { SCHEMA_MAPS, VALUE_KEYWORDS } from '../json-schema.js';

/** An `x-mcp-header` annotation for which clients would reject the whole tool. */
export class ParameterHeaderError extends Error {
  override readonly name = 'ParameterHeaderError';

  constructor(
    /** The path of the annotation in the schema, such as `properties.region`. */
    readonly location: string,
    explanation: string,
  ) {
    super(`The annotation "x-mcp-header" at "${location}" ${explanation}`);
  }
}

/** A parameter of a tool that clients mirror into a header (MCP 2026-07-28 server/tools, "x-mcp-header"). */
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
 * @throws {ParameterHeaderError} for an annotation that is malformed, used twice, of a type that has no header, or not
 * reachable from the root through `properties` alone
 * @see MCP 2026-07-28 basic/transports, "Schema Extension"
 */
export function findParameterHeaders(inputSchema: object): readonly ParameterHeader[] {
  const headers = new Map<string, ParameterHeader>();
  visitSchema({ schema: inputSchema, keywords: [], path: [] }, headers);
  return [...headers.values()];
}

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments. A value that no header can contain, such as an
 * object, needs none: the input schema refuses it.
 *
 * @param requestHeaders the headers of the request with names in lower case
 * @returns the first mismatch as a sentence for a -32020 response, or nothing
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
  /** The property names so far, or nothing after another keyword. */
  readonly path: readonly string[] | undefined;
}

/** Visits a schema and its inner schemas; the indices of an array count as keywords. */
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

/** Visits the schemas of a map. Only schemas of `properties` extend the path. */
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
    return fail('is not on a property that is reached through "properties" alone: move it to one');
  }
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    return fail('is not a header name: use letters, digits and "-"');
  }
  if (!TYPES.includes(type)) {
    return fail('is on a property without a header form: give it the type "string", "integer" or "boolean"');
  }
  const header = `mcp-param-${name.toLowerCase()}`;
  if (headers.has(header)) return fail('is used twice, without regard to case: choose another name');
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

/** Describes how a header differs from a value, as the middle of a sentence. */
function findMismatch(header: string | string[] | undefined, value: unknown): string | undefined {
  const hasHeaderForm = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (header === undefined) return hasHeaderForm ? 'is missing: send it along with' : undefined;
  if (value === undefined || value === null) return 'is sent without a value: leave it out or give one to';
  if (!hasHeaderForm) return 'cannot represent an array or an object: give a single value to';
  const [text, ...others] = [header].flat();
  if (text === undefined || others.length > 0) return 'is sent more than once: send it once for';
  try {
    return isSameValue(parseHeaderValue(text), value) ? undefined : 'has another value than';
  } catch (error) {
    if (error instanceof HeaderValueError) return 'is not encoded as the specification requires for';
    throw error;
  }
}
