import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { Annotations, Icon, PromptArgument, ToolAnnotations } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import type { AppPageOptions, AppPolicy, ToolUiOptions } from './extensions/app-options.js';
import type { SchemaSource } from './schema-source.interface.js';
import type { ScopeRequirement, VisibilityContext } from './scoped-call.interface.js';

/** Who may call a handler that is added at run time. Decorated handlers have `RequireScope()`, `Public()` and `Concurrency()` for this. */
export interface AccessOptions {
  /**
   * Scopes that a token must all have: fixed scopes, templates such as `desk:{id}:read`, and functions that return
   * scopes.
   * @default none: any valid token is enough
   */
  readonly requiredScopes?: readonly ScopeRequirement[];
  /** Lets the handler be called without a token on a server that asks for one. @default false */
  readonly isPublic?: boolean;
  /** How many calls may run concurrently. Handlers with the same options object share one limit. @default no limit */
  readonly concurrency?: ConcurrencyOptions;
}

/** Options of an entry of any kind that lists can show. */
interface ListedOptions {
  /** A name for people. @default none: clients show `name` */
  readonly title?: string;
  /** Describes the entry to models. @default none */
  readonly description?: string;
  /** Icons that a client may show. @default none */
  readonly icons?: readonly Icon[];
  /** Words that group handlers. `forFeature` and the search of tools use them, and lists show them in `_meta`. @default none */
  readonly tags?: readonly string[];
  /** Metadata that clients see in lists. @default none */
  readonly _meta?: OpenObject;
  /**
   * Decides whether a caller sees it. For other callers, it does not exist. If the function throws, the entry is hidden
   * and the error is logged.
   * @default visible to all callers
   */
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
  /** The schema of the arguments: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** Lists a union at the root of `inputSchema` as one plain object. @default the server's `catalog.flattenUnions` */
  readonly flattenUnions?: boolean;
  /** Repairs arguments that do not fit `inputSchema`. @default the server's `arguments.repair` */
  readonly repairArguments?: boolean;
  /** The schema of the structured content. @default not declared */
  readonly outputSchema?: SchemaSource;
  /** Hints on what the tool does. @default none */
  readonly annotations?: ToolAnnotations;
  /** The timeout of a call, in milliseconds. @default the server's `callTimeoutMs`; tasks have none */
  readonly timeoutMs?: number;
  /**
   * The maximum size of the response to a call, in bytes. Longer text content is truncated. Any other content that exceeds it is an error.
   * @default the server's `limits.resultBytes`
   */
  readonly resultBytes?: number;
  /** Whether clients that support tasks get a task. `required` refuses all other clients. @default 'forbidden' */
  readonly task?: 'optional' | 'required' | 'forbidden';
  /** How long a task of this tool is stored after its creation, in milliseconds. @default the server's `tasks.ttlMs` */
  readonly ttlMs?: number;
  /** Milliseconds that clients should leave between two polls of the task. @default the server's `tasks.pollIntervalMs` */
  readonly pollIntervalMs?: number;
  /** The app that shows the results in hosts with apps: a file, a folder, or the URI or name of an app. @default nothing */
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
  /** The media type of the contents. @default inferred from the result */
  readonly mimeType?: string;
  /** The size of the contents in bytes. @default not told */
  readonly size?: number;
  /** Hints for hosts that show or use the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** The maximum size of the response to a read, in bytes. A larger one is an error. @default the server's `limits.resultBytes` */
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
  /** Hints for hosts that show or use the page. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the page. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** The maximum size of the response to a read, in bytes. A larger one is an error. @default the server's `limits.resultBytes` */
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
  /** The media type of the contents, if all have the same. @default inferred from the result */
  readonly mimeType?: string;
  /** Hints for hosts that show or use the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /** The maximum size of the response to a read, in bytes. A larger one is an error. @default the server's `limits.resultBytes` */
  readonly resultBytes?: number;
  /** The description of the matching apps for hosts, if the `uriTemplate` begins with `ui://`. @default no rights */
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
  /** The arguments as clients see them, or the schema of an object with the arguments. @default no arguments */
  readonly arguments?: readonly PromptArgument[] | SchemaSource;
  /** Hints for hosts that show or use the prompt. @default none */
  readonly annotations?: Annotations;
  /** The maximum size of the response to a request, in bytes. A larger one is an error. @default the server's `limits.resultBytes` */
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
  /** The URI template, exactly as in the options of the template. */
  readonly resourceTemplate: string;
  /** The name of the variable. */
  readonly argument: string;
}

/**
 * The argument or variable that a handler completes.
 *
 * @see MCP server/utilities/completion
 */
export type CompleteOptions = PromptCompletionOptions | ResourceTemplateCompletionOptions;

/** How many calls may run concurrently in one process. Set `max`, `maxPerCaller` or both. */
export interface ConcurrencyOptions {
  /** Concurrent calls per caller. @default the value of `max` */
  readonly maxPerCaller?: number;
  /** Concurrent calls of all callers together. @default no limit */
  readonly max?: number;
  /** How many calls may wait for a free slot, or how many and how long. @default 0: a call without a free slot is rejected */
  readonly queue?: number | ConcurrencyQueueOptions;
}

/** Limits of the queue of waiting calls. */
export interface ConcurrencyQueueOptions {
  /** The maximum number of waiting calls. @default 100 */
  readonly length?: number;
  /** How long a call may wait, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
}
