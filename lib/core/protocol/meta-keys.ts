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
  /** The tags of an entry of a list. */
  tags: 'io.nestjs-mcp/tags',
  /** The handle of state that a request returns. */
  state: 'io.nestjs-mcp/state',
  /** What was wrong with the answer, in an elicitation that is repeated. */
  invalidAnswer: 'io.nestjs-mcp/invalidAnswer',
} as const;

/** The `_meta` of a request: a progress token, keys of the protocol, and keys of the client. */
export interface RequestMeta {
  readonly progressToken?: string | number;
  readonly [key: string]: unknown;
}

/** The extension that turns calls into tasks (MCP extension tasks, "Extension Identifier"). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** The extension for events (the working group's draft "Events"). */
export const EVENTS_EXTENSION = 'io.modelcontextprotocol/events';
