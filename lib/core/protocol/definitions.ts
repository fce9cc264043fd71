import type { OpenObject } from './capabilities.js';

/** An icon that a client may show (MCP 2025-11-25 basic, "Icons"). */
export interface Icon {
  /** The URL of the image, `https:` or `data:`. */
  readonly src: string;
  /** The media type, if the URL does not show it. */
  readonly mimeType?: string;
  /** The sizes that it is drawn for, for example `48x48` or `any`. */
  readonly sizes?: readonly string[];
  /** The background for which it is drawn. */
  readonly theme?: 'light' | 'dark';
}

/** Names a client or server (MCP `Implementation`). */
export interface Implementation {
  /** Names the implementation to programs. */
  readonly name: string;
  /** The version of the implementation, not of the protocol. */
  readonly version: string;
  /** A display name. */
  readonly title?: string;
  /** A description of its purpose. */
  readonly description?: string;
  /** A page with more information. */
  readonly websiteUrl?: string;
  /** Icons that a client may show. */
  readonly icons?: readonly Icon[];
}

/** Hints for hosts that show or use content (MCP `Annotations`). `experimental` marks one item as experimental. */
export interface Annotations {
  /** The audience of the content. */
  readonly audience?: readonly ('user' | 'assistant')[];
  /** The importance of the content, from 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** The time of the last change, in ISO 8601. */
  readonly lastModified?: string;
  /** Whether it may change or disappear without notice. */
  readonly experimental?: boolean;
}

/** Hints on what a tool does; clients must not trust them from untrusted servers (MCP `ToolAnnotations`). */
export interface ToolAnnotations {
  /** Names the tool to people; the tool's own `title` counts before it. */
  readonly title?: string;
  /** Whether it changes nothing. Clients assume `false`. */
  readonly readOnlyHint?: boolean;
  /** Whether it may destroy or overwrite something, rather than only add to it. Clients assume `true`. */
  readonly destructiveHint?: boolean;
  /** Whether calling it again with the same arguments changes nothing more. Clients assume `false`. */
  readonly idempotentHint?: boolean;
  /** Whether it deals with things outside the server, such as the web. Clients assume `true`. */
  readonly openWorldHint?: boolean;
  /** Whether it may change or disappear without notice. */
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

/** How a tool can be called: without a token, or with a token that has certain scopes. */
export type SecurityScheme =
  { readonly type: 'noauth' } | { readonly type: 'oauth2'; readonly scopes: readonly string[] };

/** A tool as `tools/list` shows it (MCP server/tools). */
export interface ToolDefinition extends Definition {
  readonly inputSchema: OpenObject;
  readonly outputSchema?: OpenObject;
  readonly annotations?: ToolAnnotations;
  /** How it can be called, if that differs from the rest of the server. No revision defines this yet. */
  readonly securitySchemes?: readonly SecurityScheme[];
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
  /** Names the argument to programs. */
  readonly name: string;
  /** A display name. */
  readonly title?: string;
  /** Describes its purpose. */
  readonly description?: string;
  /** Whether the prompt requires it. @default false */
  readonly required?: boolean;
}

/** A prompt as `prompts/list` shows it (MCP server/prompts). */
export interface PromptDefinition extends Definition {
  readonly arguments?: readonly PromptArgument[];
  readonly annotations?: Annotations;
}
