import { parseCapabilities, type ClientCapabilities } from '../capabilities.js';
import type { Implementation } from '../definitions.js';
import { isObject, type JsonRpcRequest, type Params } from '../json-rpc.js';
import { isLogLevel, type LogLevel } from '../log-level.js';
import { McpError } from '../mcp.error.js';
import { MetaKey } from '../meta-keys.js';
import { findRevision, isPerRequestVersion, PER_REQUEST_VERSIONS, type Revision } from '../revisions.js';
import { HeaderValueError, parseHeaderValue } from './header-value.js';

/** Headers by lower-case name, as Node provides them. */
export interface RequestHeaders {
  readonly [name: string]: string | string[] | undefined;
}

/** The sender's declarations in a stateless request. */
export interface PerRequestClaim {
  readonly revision: Revision;
  readonly capabilities: ClientCapabilities;
  readonly info?: Implementation;
  readonly logLevel?: LogLevel;
}

/** The parameter that `Mcp-Name` repeats, by method (MCP 2026-07-28 basic/transports). */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/**
 * Classifies a request. Returns its declarations if it is stateless, and `undefined` if it belongs to a session-based
 * revision.
 *
 * The checks run in the published order, and the first failure is reported. A transport without headers passes none.
 *
 * @param names the parameters that `Mcp-Name` repeats for methods that the protocol does not define
 * @throws {McpError} -32602, -32020 or -32022 with HTTP status 400
 * @see MCP 2026-07-28 basic/transports, basic/versioning
 */
export function parsePerRequestClaim(
  request: JsonRpcRequest,
  headers?: RequestHeaders,
  names: ReadonlyMap<string, string> = NO_NAMES,
): PerRequestClaim | undefined {
  const meta = request.params?.['_meta'];
  if (!isObject(meta) || !(MetaKey.protocolVersion in meta)) {
    assertNotPerRequest(request, headers);
    return undefined;
  }
  const version = meta[MetaKey.protocolVersion];
  const capabilities = meta[MetaKey.clientCapabilities];
  if (typeof version !== 'string') throw missingMeta(MetaKey.protocolVersion, 'a string');
  if (!isObject(capabilities)) throw missingMeta(MetaKey.clientCapabilities, 'an object');
  if (headers !== undefined) assertVersionHeader(version, headers);
  const revision = findRevision(version);
  if (revision?.kind !== 'perRequest') {
    throw McpError.unsupportedVersion(version, PER_REQUEST_VERSIONS);
  }
  if (headers !== undefined) {
    assertMethodHeaders(request, headers);
    assertNameHeader(request, headers, names);
  }
  return buildClaim(revision, parseCapabilities(capabilities), meta);
}

/** Returns whether a message claims to be stateless. */
export function carriesClaim({ params }: { readonly params?: Params }): boolean {
  const meta = params?.['_meta'];
  return isObject(meta) && MetaKey.protocolVersion in meta;
}

/** Returns whether a version header names a stateless revision, this one or a later one. */
export function namesPerRequestVersion(header: string | string[] | undefined): boolean {
  return typeof header === 'string' && isPerRequestVersion(header);
}

function assertNotPerRequest(request: JsonRpcRequest, headers: RequestHeaders | undefined): void {
  if (!namesPerRequestVersion(headers?.['mcp-protocol-version'])) return;
  if (request.method === 'initialize') {
    throw McpError.headerMismatch('"MCP-Protocol-Version" names a revision that has no "initialize"');
  }
  throw missingMeta(MetaKey.protocolVersion, 'a string');
}

function missingMeta(key: string, expected: string): McpError {
  return McpError.invalidParams(`"_meta" must have "${key}", ${expected}`, undefined, 400);
}

function assertVersionHeader(version: string, headers: RequestHeaders): void {
  const header = headers['mcp-protocol-version'];
  if (header === undefined) throw McpError.headerMismatch('"MCP-Protocol-Version" is missing');
  if (header !== version) {
    throw McpError.headerMismatch('"MCP-Protocol-Version" differs from the version in "_meta"');
  }
}

function assertMethodHeaders(request: JsonRpcRequest, headers: RequestHeaders): void {
  const method = headers['mcp-method'];
  if (method === undefined) throw McpError.headerMismatch('"Mcp-Method" is missing');
  if (method !== request.method) {
    throw McpError.headerMismatch('"Mcp-Method" differs from "method"');
  }
}

function assertNameHeader(
  { method, params }: JsonRpcRequest,
  headers: RequestHeaders,
  names: ReadonlyMap<string, string>,
): void {
  const parameter = NAMED_BY.get(method) ?? names.get(method);
  if (parameter === undefined) return;
  const header = headers['mcp-name'];
  if (typeof header !== 'string') throw McpError.headerMismatch('"Mcp-Name" is missing');
  if (decodeName(header) !== params?.[parameter]) {
    throw McpError.headerMismatch(`"Mcp-Name" differs from "${parameter}"`);
  }
}

function decodeName(header: string): string {
  try {
    return parseHeaderValue(header);
  } catch (error) {
    if (error instanceof HeaderValueError) {
      throw McpError.headerMismatch('"Mcp-Name" is not validly encoded');
    }
    throw error;
  }
}

function buildClaim(
  revision: Revision,
  capabilities: ClientCapabilities,
  meta: { readonly [key: string]: unknown },
): PerRequestClaim {
  const info = meta[MetaKey.clientInfo];
  const logLevel = meta[MetaKey.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    throw McpError.invalidParams(`"${MetaKey.logLevel}" is not a known level`);
  }
  return {
    revision,
    capabilities,
    ...(isObject(info) && { info: info as unknown as Implementation }),
    ...(logLevel !== undefined && { logLevel }),
  };
}
