/** Identifies a request within its sender's outstanding requests: a string or an integer, never null (MCP basic). */
export type RequestId = string | number;

/** Identifies the progress notifications that a requester subscribed to (MCP basic/utilities/progress). */
export type ProgressToken = string | number;

/** JSON-RPC parameters. MCP allows only named parameters. */
export type Params = { readonly [name: string]: unknown };

/** A JSON-RPC request. It has an id and gets exactly one response. */
export interface JsonRpcRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Params;
}

/** A JSON-RPC notification: it has no id and no response. */
export interface JsonRpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Params;
}

/** The error property of a failed response (JSON-RPC 2.0 §5.1). */
export interface JsonRpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A JSON-RPC response to a request that this side sent. */
export interface JsonRpcResponse {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId;
  readonly result?: unknown;
  readonly error?: JsonRpcErrorObject;
}

/** Narrows unknown JSON to a plain object. */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns whether a value may be a request id: a string, or an integer that JSON preserves.
 *
 * @see MCP basic, "Requests"
 */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

/** A parsed JSON object with unchecked properties. */
export type JsonObject = { readonly [member: string]: unknown };

/** Parses JSON. Returns `undefined` for text that is not JSON. */
export function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object. Returns `undefined` for anything else, or if it is not UTF-8. A byte order mark is skipped. */
export function parseJsonObject(source: string | ArrayBuffer | Uint8Array): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(typeof source === 'string' ? source : decode(source));
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Returns whether a JSON value is an array of strings, which may be empty. */
export function isStringArray(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((member) => typeof member === 'string');
}
