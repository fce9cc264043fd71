import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { Annotations, Icon, PromptArgument, ToolAnnotations } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import type { ConcurrencyOptions } from './concurrency-options.interface.js';
import type { AppPageOptions, AppPolicy, ToolUiOptions } from './extensions/app-options.interface.js';
import type { SchemaSource } from './schema-source.interface.js';
import type { ScopeRequirement } from './scoped-call.interface.js';
import type { VisibilityContext } from './visibility-context.interface.js';

/** Who may call a handler that no decorator declares; decorated ones have `RequireScope()`, `Public()` and `Concurrency()`. */
export interface AccessOptions {
  /** Scopes that a token must have, all of them: fixed ones, templates such as `desk:{id}:read`, and functions that return scopes. @default none: any valid token is enough */
  readonly requiredScopes?: readonly ScopeRequirement[];
  /** Lets the handler be called without a token on a server that asks for one. @default false */
  readonly isPublic?: boolean;
  /** How many calls may run at once; handlers with the same object share its places. @default no limit */
  readonly concurrency?: ConcurrencyOptions;
}

/** What lists can show of an entry of any kind. */
interface ListedOptions {
  /** A name for people. @default none: clients show `name` */
  readonly title?: string;
  /** Tells a model what the entry is for. @default none */
  readonly description?: string;
  /** Icons that a client may show. @default none */
  readonly icons?: readonly Icon[];
  /** Words that group handlers: `forFeature` and the search of tools use them; lists show them in `_meta`. @default none */
  readonly tags?: readonly string[];
  /** Metadata that clients see in lists. @default none */
  readonly _meta?: OpenObject;
  /** Decides whether a caller sees it: for others it does not exist. If it throws, the entry is hidden and the error is logged. @default everybody sees it */
  visible?(context: VisibilityContext): boolean | Promise<boolean>;
}

/**
 * Describes a tool.
 *
 * @see MCP server/tools
 */
export interface ToolOptions extends ListedOptions {
  /** 1 to 128 letters, digits, `_`, `-` and `.`, unique in the server. @default the method's name */
  readonly name?: string;
  /** What the arguments must be: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** Lists a union at the root of `inputSchema` as one plain object. @default the server's `catalogue.flattenUnions` */
  readonly flattenUnions?: boolean;
  /** What the structured content is. @default not declared */
  readonly outputSchema?: SchemaSource;
  /** Hints on what the tool does. @default none */
  readonly annotations?: ToolAnnotations;
  /** Milliseconds that a call may take. @default the server's `callTimeoutMs`; tasks have none */
  readonly timeoutMs?: number;
  /** Bytes of the answer to a call; a text is cut, anything else is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
  /** Whether clients that know tasks get one: `required` refuses all others. @default 'forbidden' */
  readonly task?: 'optional' | 'required' | 'forbidden';
  /** Milliseconds for which a task of this tool is kept after its creation. @default the server's `tasks.ttlMs` */
  readonly ttlMs?: number;
  /** Milliseconds between two polls of clients for it. @default the server's `tasks.pollIntervalMs` */
  readonly pollIntervalMs?: number;
  /** What shows the results in hosts that show apps: a file, a folder, or the URI or the name of an app. @default nothing */
  readonly ui?: string | URL | ToolUiOptions;
}

/**
 * Describes a resource.
 *
 * @see MCP server/resources
 */
export interface ResourceOptions extends ListedOptions {
  /** The absolute URI, unique in the server. */
  readonly uri: string;
  /** @default the method's name */
  readonly name?: string;
  /** The media type of the contents. @default by what the handler returns */
  readonly mimeType?: string;
  /** The size of the contents in bytes. @default not told */
  readonly size?: number;
  /** Hints for whoever shows or uses the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may keep the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** Bytes of the answer to a read; more is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
  /** The page of an app, for a `uri` that begins with `ui://`. @default what the handler returns, without any rights */
  readonly ui?: AppPageOptions;
}

/**
 * Describes an app: a page that hosts show beside the conversation.
 *
 * @see SEP-1865, "UI Resource Format"
 */
export interface AppOptions extends ListedOptions, AppPageOptions {
  /** Begins with `ui://`, unique in the server. @default `ui://<name of the server>/<name>` */
  readonly uri?: string;
  /** @default the method's name */
  readonly name?: string;
  /** Hints for whoever shows or uses the page. @default none */
  readonly annotations?: Annotations;
  /** How long clients may keep the page. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** Bytes of the answer to a read; more is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
}

/**
 * Describes the resources whose URIs match a template.
 *
 * @see MCP server/resources, "Resource Templates"; RFC 6570
 */
export interface ResourceTemplateOptions extends ListedOptions {
  /** The URI template, unique in the server, for example `ticket://{id}`. */
  readonly uriTemplate: string;
  /** @default the method's name */
  readonly name?: string;
  /** The media type of the contents, if all have the same. @default by what the handler returns */
  readonly mimeType?: string;
  /** Hints for whoever shows or uses the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may keep the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** Bytes of the answer to a read; more is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
  /** What hosts are told about the apps whose URIs match, for a `uriTemplate` that begins with `ui://`. @default no rights */
  readonly ui?: AppPolicy;
}

/**
 * Describes a prompt.
 *
 * @see MCP server/prompts
 */
export interface PromptOptions extends ListedOptions {
  /** Unique in the server. @default the method's name */
  readonly name?: string;
  /** The arguments as clients see them, or a schema of the object they form. @default no arguments */
  readonly arguments?: readonly PromptArgument[] | SchemaSource;
  /** Hints for whoever shows or uses the prompt. @default none */
  readonly annotations?: Annotations;
  /** Bytes of the answer to a request; more is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
}

/** Completes one argument of a prompt. */
export interface PromptCompletionOptions {
  /** The name of the prompt. */
  readonly prompt: string;
  /** The name of the argument. */
  readonly argument: string;
}

/** Completes one variable of a resource template. */
export interface ResourceTemplateCompletionOptions {
  /** The URI template, as the template's own options have it. */
  readonly resourceTemplate: string;
  /** The name of the variable. */
  readonly argument: string;
}

/**
 * Says what a handler completes.
 *
 * @see MCP server/utilities/completion
 */
export type CompleteOptions = PromptCompletionOptions | ResourceTemplateCompletionOptions;
