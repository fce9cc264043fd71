/** The published prefix of the protocol's own `_meta` keys and extension ids (MCP basic, "_meta"). */
export const PROTOCOL_NAMESPACE = 'io.modelcontextprotocol';

/** The `_meta` keys that the protocol defines (MCP 2026-07-28 basic). */
export const MetaKey = {
  protocolVersion: `${PROTOCOL_NAMESPACE}/protocolVersion`,
  clientCapabilities: `${PROTOCOL_NAMESPACE}/clientCapabilities`,
  clientInfo: `${PROTOCOL_NAMESPACE}/clientInfo`,
  logLevel: `${PROTOCOL_NAMESPACE}/logLevel`,
  serverInfo: `${PROTOCOL_NAMESPACE}/serverInfo`,
  subscriptionId: `${PROTOCOL_NAMESPACE}/subscriptionId`,
  relatedTask: `${PROTOCOL_NAMESPACE}/related-task`,
} as const;

/** The `_meta` keys of this package. */
export const OwnMetaKey = {
  /** A list entry's tags. */
  tags: 'io.nestjs-mcp/tags',
  /** The state handle that a request sends back. */
  state: 'io.nestjs-mcp/state',
  /** The problem with the last response, in a repeated elicitation. */
  invalidAnswer: 'io.nestjs-mcp/invalidAnswer',
} as const;

/** A request's `_meta`: a progress token, protocol keys, and client keys. */
export interface RequestMeta {
  readonly progressToken?: string | number;
  readonly [key: string]: unknown;
}

/** The extension that turns calls into tasks (MCP extension tasks, "Extension Identifier"). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension for events (the working group's draft "Events"). */
export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';
