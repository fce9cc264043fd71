import type { OpenObject } from './capabilities.js';

/** An icon that a client may show (MCP 2025-11-25 basic, "Icons"). */
export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

/** Names a client or server (MCP `Implementation`). */
export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

/** Hints for whoever shows or uses content (MCP `Annotations`). `experimental` marks one item as experimental. */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
  readonly experimental?: boolean;
}

/** Hints on what a tool does; clients must not trust them from untrusted servers (MCP `ToolAnnotations`). */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly experimental?: boolean;
}

/** What `tools/list`, `resources/list`, `resources/templates/list` and `prompts/list` have in common. */
export interface Definition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly _meta?: OpenObject;
}

/** A tool as `tools/list` shows it (MCP server/tools). */
export interface ToolDefinition extends Definition {
  readonly inputSchema: OpenObject;
  readonly outputSchema?: OpenObject;
  readonly annotations?: ToolAnnotations;
  readonly execution?: { readonly taskSupport?: 'required' | 'optional' | 'forbidden' };
}

/** A resource as `resources/list` shows it (MCP server/resources). */
export interface ResourceDefinition extends Definition {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
}

/** A resource template as `resources/templates/list` shows it (MCP server/resources; RFC 6570). */
export interface ResourceTemplateDefinition extends Definition {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** One argument of a prompt (MCP server/prompts). */
export interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

/** A prompt as `prompts/list` shows it (MCP server/prompts). */
export interface PromptDefinition extends Definition {
  readonly arguments?: readonly PromptArgument[];
  readonly annotations?: Annotations;
}
