import { ErrorCode } from './error-codes.js';
import type { JsonRpcErrorObject } from './json-rpc.js';
import { MetaKey } from './meta-keys.js';

/** When clients should retry after a server shuts down, spread over several seconds. */
const AWAY_SECONDS = { from: 5, choices: 3 };

/**
 * A JSON-RPC error. If a handler throws it, the client receives exactly this error.
 *
 * @example
 * throw new McpError(ErrorCode.InvalidParams, 'Ticket 42 is closed', { ticket: 42 });
 *
 * @see JSON-RPC 2.0 §5.1
 */
export class McpError extends Error {
  override readonly name = 'McpError';
  /** Seconds after which the caller may retry, as in `Retry-After`; absent if unknown. */
  readonly retryAfterSeconds?: number;

  constructor(
    /** The error's code: one of {@link ErrorCode}, or a custom one. */
    readonly code: number,
    message: string,
    /** Additional facts for the caller, as JSON. @default nothing */
    readonly data?: unknown,
    /** The HTTP status of the response, if no stream has started. @default 200 */
    readonly httpStatus?: number,
  ) {
    super(message);
  }

  /** Returns the response's error property. */
  toJSON(): JsonRpcErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }

  /** The body is not JSON. */
  static parseError(): McpError {
    return new McpError(ErrorCode.ParseError, 'Parse error: the body is not JSON', undefined, 400);
  }

  /** The message, or the HTTP request around it, is invalid. */
  static invalidRequest(explanation: string, httpStatus = 400): McpError {
    return new McpError(ErrorCode.InvalidRequest, `Invalid request: ${explanation}`, undefined, httpStatus);
  }

  /** The request does not belong to a session, and does not name its revision. */
  static notInitialized(missing?: string): McpError {
    const fix = `send "initialize" first, or declare "${MetaKey.protocolVersion}" in "_meta"`;
    return McpError.invalidRequest(missing === undefined ? fix : `${missing} is missing: ${fix}`);
  }

  /** The revision does not accept arrays of messages. The message names its version if known. */
  static noBatches(version?: string): McpError {
    const revision = version === undefined ? 'the revision' : `revision ${version}`;
    return McpError.invalidRequest(`${revision} does not support batches`);
  }

  /** The server or the revision does not support the method. */
  static methodNotFound(method: string, httpStatus = 200): McpError {
    return new McpError(
      ErrorCode.MethodNotFound,
      `Method not found: "${printable(method)}"`,
      undefined,
      httpStatus,
    );
  }

  /** The parameters do not match the method. */
  static invalidParams(explanation: string, data?: unknown, httpStatus = 200): McpError {
    return new McpError(ErrorCode.InvalidParams, `Invalid params: ${explanation}`, data, httpStatus);
  }

  /** There is no tool with this name (MCP server/tools, "Error Handling"). */
  static unknownTool(name: string): McpError {
    return McpError.invalidParams(`unknown tool ${quoteName(name)}`);
  }

  /** There is no prompt with this name (MCP server/prompts, "Error Handling"). */
  static unknownPrompt(name: string): McpError {
    return McpError.invalidParams(`unknown prompt ${quoteName(name)}`);
  }

  /** The prompt has no argument with this name to complete. */
  static unknownArgument(name: string): McpError {
    return McpError.invalidParams(`the prompt has no argument ${quoteName(name)}`);
  }

  /** There is neither a resource template nor a resource with this URI to complete. */
  static unknownTemplate(uriTemplate: string): McpError {
    return McpError.invalidParams(`unknown resource template ${quoteName(uriTemplate, LONGEST_QUOTE)}`);
  }

  /** The resource template has no variable with this name to complete. */
  static unknownVariable(name: string): McpError {
    return McpError.invalidParams(`the template has no variable ${quoteName(name)}`);
  }

  /** Any other error. The caller receives only an ID, which the log line also contains. */
  static internal(incident?: string): McpError {
    const reference = incident === undefined ? '' : ` (incident ${incident})`;
    return new McpError(ErrorCode.InternalError, `Internal error${reference}`);
  }

  /** The server is shutting down. The request was not served, or only in part. */
  static shuttingDown(httpStatus = 200): McpError {
    const text = 'The server is shutting down: try again later';
    const retryAfterSeconds = AWAY_SECONDS.from + Math.floor(Math.random() * AWAY_SECONDS.choices);
    return Object.assign(new McpError(ErrorCode.InternalError, text, undefined, httpStatus), {
      retryAfterSeconds,
    });
  }

  /** Uses the revision's code (MCP server/resources, "Error Handling"). */
  static resourceNotFound(code: number, uri: string): McpError {
    return new McpError(code, `Resource not found: "${printable(uri)}"`, { uri });
  }

  static headerMismatch(explanation: string): McpError {
    return new McpError(ErrorCode.HeaderMismatch, `Header mismatch: ${explanation}`, undefined, 400);
  }

  static unsupportedVersion(requested: string, supported: readonly string[]): McpError {
    return new McpError(
      ErrorCode.UnsupportedProtocolVersion,
      `Unsupported protocol version: "${printable(requested)}"`,
      { supported, requested },
      400,
    );
  }

  /** Lists the missing capabilities as a ClientCapabilities object (MCP 2026-07-28 basic). */
  static missingCapability(requiredCapabilities: object): McpError {
    return new McpError(
      ErrorCode.MissingRequiredClientCapability,
      `The client did not declare a required capability: ${Object.keys(requiredCapabilities).join(', ')}`,
      { requiredCapabilities },
      400,
    );
  }
}

const LONGEST_NAME = 128;
const LONGEST_QUOTE = 200;

/** Shortens a name so that readers still recognize it. */
function quoteName(name: string, longest = LONGEST_NAME): string {
  return `"${name.slice(0, longest)}"`;
}

/** Prevents a caller's input from filling a response or a log line. */
function printable(text: string): string {
  return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}
