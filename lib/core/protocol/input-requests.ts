import type { OpenObject } from './capabilities.js';
import type { AudioContent, ContentBlock, ImageContent, TextContent } from './content.js';
import type { ToolDefinition } from './definitions.js';
import { ErrorCode } from './error-codes.js';
import { isObject } from './json-rpc.js';

/** The requests that a server may send to a client (MCP client/elicitation, client/sampling, client/roots). */
export type InputRequestMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list';

/** A request to the client as sent. It has no id, because requests in `inputRequests` have none. */
export interface InputRequest {
  readonly method: InputRequestMethod;
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

/** One message of the conversation that a model should continue (MCP `SamplingMessage`). */
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
  /** Tools that the model may use. The client must have declared `sampling.tools`. */
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: { readonly mode: 'auto' | 'required' | 'none' };
}

/** The response from the client's model (MCP `CreateMessageResult`). */
export interface SamplingResult {
  readonly role: 'user' | 'assistant';
  readonly content: SamplingContent | readonly SamplingContent[];
  readonly model: string;
  readonly stopReason?: string;
  readonly _meta?: OpenObject;
}

/** A folder that the client allows servers to work in (MCP client/roots). */
export interface Root {
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: OpenObject;
}

/**
 * Ends a call with input requests. The client then retries it with the responses (MCP 2026-07-28
 * basic/patterns/mrtr). A handler may return it instead of a result.
 */
export interface InputRequiredResult {
  readonly resultType: 'input_required';
  readonly inputRequests?: { readonly [key: string]: InputRequest };
  /** A value that the handler receives in the next round. The server signs it. */
  readonly requestState?: string;
  readonly _meta?: OpenObject;
}

/** Returns whether a handler returned input requests instead of a result. */
export function isInputRequired(value: unknown): value is InputRequiredResult {
  return isObject(value) && value['resultType'] === 'input_required';
}

/** A page that the user must open before a request can be served (MCP 2025-11-25 client/elicitation). */
export interface RequiredElicitation {
  readonly mode: 'url';
  /** The id that `notifications/elicitation/complete` names when the user has finished. */
  readonly elicitationId: string;
  readonly url: string;
  /** The message for the user, which explains the purpose of the page. */
  readonly message: string;
}

/** Reads the pages that an error requires, or returns `undefined` for other errors. */
export function findRequiredElicitations(error: unknown): readonly RequiredElicitation[] | undefined {
  if (!isObject(error) || error['code'] !== ErrorCode.UrlElicitationRequired || !isObject(error['data']))
    return undefined;
  const { elicitations } = error['data'];
  return Array.isArray(elicitations) ? elicitations.filter(isRequiredElicitation) : undefined;
}

function isRequiredElicitation(value: unknown): value is RequiredElicitation {
  if (!isObject(value)) return false;
  const { mode, elicitationId, url, message } = value;
  const areStrings = [elicitationId, url, message].every((member) => typeof member === 'string');
  return mode === 'url' && areStrings && URL.canParse(url as string);
}
