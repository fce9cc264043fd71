import type { OpenObject } from './capabilities.js';

/** An icon that a client may show (MCP 2025-11-25 basic, "Icons"). */
export interface Icon {
  /** The image URL, `https:` or `data:`. */
  readonly src: string;
  /** The media type, if the URL does not show it. */
  readonly mimeType?: string;
  /** The icon sizes, for example `48x48` or `any`. */
  readonly sizes?: readonly string[];
  /** The background theme that the icon is designed for. */
  readonly theme?: 'light' | 'dark';
}

/** The name, version and description of a client or server (MCP `Implementation`). */
export interface Implementation {
  /** The name for programs. */
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
  /** The content's audience. */
  readonly audience?: readonly ('user' | 'assistant')[];
  /** The importance of the content, from 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** The time of the last change, in ISO 8601. */
  readonly lastModified?: string;
  /** Whether it may change or disappear without notice. */
  readonly experimental?: boolean;
}

/** Hints about what a tool does; clients must not trust them from untrusted servers (MCP `ToolAnnotations`). */
export interface ToolAnnotations {
  /** A display name. The tool's `title` takes precedence. */
  readonly title?: string;
  /** Whether the tool does not modify its environment. Clients assume `false`. */
  readonly readOnlyHint?: boolean;
  /** Whether it may delete or overwrite something, rather than only add to it. Clients assume `true`. */
  readonly destructiveHint?: boolean;
  /** Whether repeated calls with the same arguments have no additional effect. Clients assume `false`. */
  readonly idempotentHint?: boolean;
  /** Whether it interacts with external systems, such as the web. Clients assume `true`. */
  readonly openWorldHint?: boolean;
  /** Whether it may change or disappear without notice. */
  readonly experimental?: boolean;
}

/** The common properties of entries in `tools/list`, `resources/list`, `resources/templates/list` and `prompts/list`. */
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

/** A tool in `tools/list` (MCP server/tools). */
export interface ToolDefinition extends Definition {
  readonly inputSchema: OpenObject;
  readonly outputSchema?: OpenObject;
  readonly annotations?: ToolAnnotations;
  /** How it can be called, if that differs from the rest of the server. No revision defines this yet. */
  readonly securitySchemes?: readonly SecurityScheme[];
  readonly execution?: { readonly taskSupport?: 'required' | 'optional' | 'forbidden' };
}

/** A resource in `resources/list` (MCP server/resources). */
export interface ResourceDefinition extends Definition {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
}

/** A resource template in `resources/templates/list` (MCP server/resources; RFC 6570). */
export interface ResourceTemplateDefinition extends Definition {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

/** One argument of a prompt (MCP server/prompts). */
export interface PromptArgument {
  /** The name for programs. */
  readonly name: string;
  /** A display name. */
  readonly title?: string;
  /** A description of its purpose. */
  readonly description?: string;
  /** Whether the prompt requires it. @default false */
  readonly required?: boolean;
}

/** A prompt in `prompts/list` (MCP server/prompts). */
export interface PromptDefinition extends Definition {
  readonly arguments?: readonly PromptArgument[];
  readonly annotations?: Annotations;
}
