import type { OpenObject, ServerCapabilities } from './capabilities.js';
import type { ContentBlock, ResourceContents } from './content.js';
import type { Implementation } from './definitions.js';

/** The common properties of all results. */
export interface Result {
  readonly _meta?: OpenObject;
}

/** How long a client may cache a result, and for whom (MCP 2026-07-28 server/utilities/caching). */
export interface CacheHint {
  /** Milliseconds for which the result is fresh; 0 means that it must always be requested again. */
  readonly ttlMs: number;
  /** `public` only if every caller receives the same result. */
  readonly scope: 'public' | 'private';
}

/** The result of `tools/call` (MCP server/tools). */
export interface CallToolResult extends Result {
  /** The content for a model. */
  readonly content: readonly ContentBlock[];
  /** The content for a program. It matches the tool's output schema, if there is one. */
  readonly structuredContent?: unknown;
  /** Whether the call failed in a way that a model can react to. @default false */
  readonly isError?: boolean;
}

/** The result of `resources/read` (MCP server/resources). */
export interface ReadResourceResult extends Result {
  readonly contents: readonly ResourceContents[];
}

/** One message in a prompt (MCP `PromptMessage`). */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** The result of `prompts/get` (MCP server/prompts). */
export interface GetPromptResult extends Result {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

/** The result of `completion/complete` (MCP server/utilities/completion). */
export interface CompleteResult extends Result {
  readonly completion: {
    readonly values: readonly string[];
    readonly total?: number;
    readonly hasMore?: boolean;
  };
}

/** The result of `initialize` (MCP basic/lifecycle). */
export interface InitializeResult extends Result {
  readonly protocolVersion: string;
  readonly capabilities: ServerCapabilities;
  readonly serverInfo: Implementation;
  readonly instructions?: string;
}
