import type { OpenObject } from './capabilities.js';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.js';
import type { ToolDefinition } from './definitions.js';

/** The requests that a server may send to a client (MCP client/elicitation, client/sampling, client/roots). */
export type ClientRequestMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** A request to the client as sent. It has no id, because requests in `inputRequests` have none. */
export interface ClientRequest {
  readonly method: ClientRequestMethod;
  /** `roots/list` needs none. */
  readonly params?: OpenObject;
}

/** The user's reaction to an input request (MCP client/elicitation, "Response Actions"). */
export type ElicitationAction = 'accept' | 'decline' | 'cancel';

/** A model's request to call a tool, from 2025-11-25 on (MCP `ToolUseContent`). */
export interface ToolUseContent {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: OpenObject;
  readonly _meta?: OpenObject;
}

/** The result of a tool call that a model requested, from 2025-11-25 on (MCP `ToolResultContent`). */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: OpenObject;
  readonly isError?: boolean;
  readonly _meta?: OpenObject;
}

/** One block of a sampling message. */
export type SamplingContent = TextContent | ImageContent | AudioContent | ToolUseContent | ToolResultContent;

/** One message of the conversation that a model is asked to continue (MCP `SamplingMessage`). */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly content: SamplingContent | readonly SamplingContent[];
}

/** The model that the server prefers (MCP `ModelPreferences`). */
export interface ModelPreferences {
  readonly hints?: readonly { readonly name?: string }[];
  readonly costPriority?: number;
  readonly speedPriority?: number;
  readonly intelligencePriority?: number;
}

/** A request to the client's model (MCP `CreateMessageRequest`). */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  readonly maxTokens: number;
  readonly modelPreferences?: ModelPreferences;
  readonly systemPrompt?: string;
  readonly includeContext?: 'none' | 'thisServer' | 'allServers';
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  readonly metadata?: OpenObject;
  /** Tools the model may ask to have called; the client must have declared `sampling.tools`. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: { readonly mode: 'auto' | 'required' | 'none' };
}

/** The response of the client's model (MCP `CreateMessageResult`). */
export interface SamplingResult {
  readonly role: 'user' | 'assistant';
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string;
  readonly _meta?: OpenObject;
}

/** A folder in which the client lets servers work (MCP client/roots). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: OpenObject;
}
