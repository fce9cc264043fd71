/** Every JSON-RPC error code that the server emits, with its published meaning. */
export const ErrorCode = {
  /** The body is not JSON (JSON-RPC 2.0 §5.1). */
  ParseError: -32700,
  /** The JSON is not a valid JSON-RPC message (JSON-RPC 2.0 §5.1). */
  InvalidRequest: -32600,
  /** The revision in use does not define the method (JSON-RPC 2.0 §5.1). */
  MethodNotFound: -32601,
  /** The parameters are invalid, such as an unknown tool, a bad cursor or a missing `_meta` (JSON-RPC 2.0 §5.1). */
  InvalidParams: -32602,
  /** The server failed (JSON-RPC 2.0 §5.1). */
  InternalError: -32603,
  /** The resource does not exist (MCP 2024-11-05 to 2025-11-25 server/resources). */
  ResourceNotFound: -32002,
  /** An HTTP header and the body disagree (MCP 2026-07-28 basic/transports). */
  HeaderMismatch: -32020,
  /** The request requires a capability that the client did not declare (MCP 2026-07-28 basic). */
  MissingRequiredClientCapability: -32021,
  /** The server does not support the protocol version (MCP 2026-07-28 basic/versioning). */
  UnsupportedProtocolVersion: -32022,
  /** The caller exceeds its rate or concurrency limit (SEP-3304, a draft). */
  RateLimited: -32023,
  /** The user must open a page first (MCP 2025-11-25 client/elicitation; defined in no other revision). */
  UrlElicitationRequired: -32042,
} as const;
