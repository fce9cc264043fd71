import {
  isObject,
  isRequestId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  type RequestId,
} from './json-rpc.js';
import { McpError } from './mcp.error.js';

/** A received message, classified by its shape. */
export type InboundMessage =
  | { readonly kind: 'request'; readonly message: JsonRpcRequest }
  | { readonly kind: 'notification'; readonly message: JsonRpcNotification }
  | { readonly kind: 'response'; readonly message: JsonRpcResponse };

/**
 * Parses JSON.
 *
 * @throws {McpError} -32700 if it is not JSON
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw McpError.parseError();
  }
}

/**
 * Parses a JSON value as a JSON-RPC message.
 *
 * @throws {McpError} -32600 if it is not one
 * @see JSON-RPC 2.0 §4 and §5, MCP basic
 */
export function parseMessage(value: unknown): InboundMessage {
  if (!isObject(value)) throw McpError.invalidRequest('a message must be a JSON object');
  if (value['jsonrpc'] !== '2.0') throw McpError.invalidRequest('"jsonrpc" must be "2.0"');
  if (!('method' in value)) return { kind: 'response', message: parseResponse(value) };
  assertCall(value);
  if (!('id' in value)) {
    return { kind: 'notification', message: value as unknown as JsonRpcNotification };
  }
  if (!isRequestId(value['id'])) {
    throw McpError.invalidRequest('"id" must be a string or an integer');
  }
  return { kind: 'request', message: value as unknown as JsonRpcRequest };
}

/** Finds the ID for the response to a value, even if the value is not a valid message. */
export function findRequestId(value: unknown): RequestId | undefined {
  if (!isObject(value) || !('method' in value)) return undefined;
  return isRequestId(value['id']) ? value['id'] : undefined;
}

function assertCall(value: { readonly [name: string]: unknown }): void {
  const { method, params } = value;
  if (typeof method !== 'string' || method === '') {
    throw McpError.invalidRequest('"method" must be a non-empty string');
  }
  if (params === undefined) return;
  if (!isObject(params)) throw McpError.invalidRequest('"params" must be a JSON object');
  if (params['_meta'] !== undefined && !isObject(params['_meta'])) {
    throw McpError.invalidParams('"_meta" must be a JSON object', undefined, 400);
  }
}

function parseResponse(value: { readonly [name: string]: unknown }): JsonRpcResponse {
  const hasResult = 'result' in value;
  if (hasResult === 'error' in value) {
    throw McpError.invalidRequest('a message must have "method", "result" or "error"');
  }
  if (hasResult && !isRequestId(value['id'])) {
    throw McpError.invalidRequest('"id" must be a string or an integer');
  }
  if (!hasResult && !isObject(value['error'])) {
    throw McpError.invalidRequest('"error" must be a JSON object');
  }
  return value as unknown as JsonRpcResponse;
}
