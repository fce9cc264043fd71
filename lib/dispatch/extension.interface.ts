import type { McpContext, SessionView } from '../context/mcp-context.interface.js';
import type { OpenObject } from '../protocol/capabilities.js';
import type { ToolDefinition } from '../protocol/definitions.js';
import type { Encoded } from '../protocol/encode-definition.js';
import type { Params } from '../protocol/json-rpc.js';
import type { ExtensionDeclaration } from '../settings/extension.interface.js';

/** A method that an extension adds. */
export interface ExtensionMethod {
  readonly method: string;
  /** Which kinds of revision have it. @default both */
  readonly revisions?: readonly ('handshake' | 'perRequest')[];
  /** Whether only clients that declared the extension may call it. @default true */
  readonly isGated?: boolean;
  /** Gives the result; what it throws is answered as a JSON-RPC error. */
  handle(context: McpContext): OpenObject | Promise<OpenObject>;
}

/** A notification of clients that an extension listens to; it is dropped where the client did not declare the extension. */
export interface ExtensionNotification {
  readonly method: string;
  handle(params: Params, session: SessionView): void;
}

/** A tool call on its way to its handler. */
export interface InterceptedCall {
  readonly tool: ToolDefinition;
  readonly context: McpContext;
}

/**
 * Adds to the protocol what a server and its clients agreed on.
 *
 * @example
 * const reports: McpExtension = {
 *   id: 'com.example/reports',
 *   specVersion: '2026-07-28',
 *   stability: 'experimental',
 *   methods: [{ method: 'reports/list', handle: () => ({ reports: [] }) }],
 * };
 */
export interface McpExtension extends ExtensionDeclaration {
  /** @default none */
  readonly methods?: readonly ExtensionMethod[];
  /** @default none */
  readonly notifications?: readonly ExtensionNotification[];
  /** Stands around each `tools/call`: it may answer in the handler's place, or change what the handler answers. */
  interceptToolCall?(call: InterceptedCall, next: () => Promise<Encoded>): Promise<Encoded>;
}
