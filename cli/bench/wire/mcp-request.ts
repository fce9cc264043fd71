import { formatHeaderValue } from '../../../lib/core/protocol/headers/header-value.js';
import { MetaKey } from '../../../lib/core/protocol/meta-keys.js';
import type { JsonObject } from '../../../lib/core/protocol/json-rpc.js';
import { readOwnPackage } from '../../../lib/core/package/own-package.js';
import type { GivenHeaders } from '../../server/parse-header.js';

/** A revision that a server supports, and whether it requires initialization. */
export interface BenchWire {
  readonly version: string;
  readonly isHandshake: boolean;
}

/** A request to a server. */
export interface McpRequest {
  readonly method: string;
  readonly params: JsonObject;
  /** Headers that mirror arguments. @default none */
  readonly mirrored?: GivenHeaders;
}

export const CLIENT_INFO = { name: 'nestjs-mcp-bench', version: readOwnPackage().version };

/** Builds the request that opens a session. */
export function buildHandshake(version: string): McpRequest {
  return {
    method: 'initialize',
    params: { protocolVersion: version, capabilities: {}, clientInfo: CLIENT_INFO },
  };
}

/** The notification that completes initialization. */
export const INITIALIZED: McpRequest = { method: 'notifications/initialized', params: {} };

/** Builds a JSON-RPC message that starts with its id; a notification has none. */
export function buildMessage(wire: BenchWire, { method, params }: McpRequest, id?: number): JsonObject {
  const whole = wire.isHandshake ? params : { ...params, _meta: buildMeta(wire.version) };
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    method,
    ...(Object.keys(whole).length > 0 && { params: whole }),
  };
}

/** Builds a message's headers, in addition to the headers of every request. */
export function buildMessageHeaders(
  wire: BenchWire,
  { method, params, mirrored = {} }: McpRequest,
  session: GivenHeaders = {},
): GivenHeaders {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (wire.isHandshake) return { ...common, ...session };
  const name = params['name'] ?? params['uri'];
  return {
    ...common,
    'mcp-protocol-version': wire.version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': formatHeaderValue(name) }),
    ...mirrored,
  };
}

function buildMeta(version: string): JsonObject {
  return {
    [MetaKey.protocolVersion]: version,
    [MetaKey.clientCapabilities]: {},
    [MetaKey.clientInfo]: CLIENT_INFO,
  };
}
