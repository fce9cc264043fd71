import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { Annotations, Icon, PromptArgument, ToolAnnotations } from '../../core/protocol/definitions.js';
import type { CacheHint } from '../../core/protocol/results.js';
import type { AppPageOptions, AppPolicy, ToolUiOptions } from './extensions/app-options.js';
import type { SchemaSource } from './schema-source.interface.js';
import type { ScopeRequirement, VisibilityContext } from './scoped-call.interface.js';

/**
 * Access control for a handler that is added at run time. For decorated handlers, use `RequireScope()`, `Public()`
 * and `Concurrency()` instead.
 */
export interface AccessOptions {
  /**
   * The scopes that a token must have: fixed scopes, templates such as `desk:{id}:read`, and functions that return
   * scopes.
   * @default none: any valid token is enough
   */
  readonly requiredScopes?: readonly ScopeRequirement[];
  /** Allows calls without a token on a server that requires one. @default false */
  readonly isPublic?: boolean;
  /** How many calls may run concurrently. Handlers with the same options object share one limit. @default no limit */
  readonly concurrency?: ConcurrencyOptions;
}

/** Options of an entry of any kind that lists can show. */
interface ListedOptions {
  /** A display name. @default none: clients display `name` */
  readonly title?: string;
  /** Describes the entry to models. @default none */
  readonly description?: string;
  /** Icons that a client may show. @default none */
  readonly icons?: readonly Icon[];
  /** Tags that group handlers. `forFeature` and tool search use them, and lists show them in `_meta`. @default none */
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
  /** The name: 1 to 128 letters, digits, `_`, `-` and `.`, unique within the server. @default the method's name */
  readonly name?: string;
  /** The argument schema: an object. @default no arguments */
  readonly inputSchema?: SchemaSource;
  /** Lists a union at the root of `inputSchema` as one plain object. @default the server's `catalog.flattenUnions` */
  readonly flattenUnions?: boolean;
  /** Repairs arguments that do not match `inputSchema`. @default the server's `arguments.repair` */
  readonly repairArguments?: boolean;
  /** The structured content's schema. @default not declared */
  readonly outputSchema?: SchemaSource;
  /** Hints about what the tool does. @default none */
  readonly annotations?: ToolAnnotations;
  /** A call's timeout, in milliseconds. @default the server's `callTimeoutMs`; tasks have none */
  readonly timeoutMs?: number;
  /**
   * The maximum size of a call's response, in bytes. Longer text content is truncated. Any other content that exceeds
   * the limit causes an error.
   * @default the server's `limits.resultBytes`
   */
  readonly resultBytes?: number;
  /**
   * Whether clients that support tasks receive a task. `required` rejects calls from all other clients.
   * @default 'forbidden'
   */
  readonly task?: 'optional' | 'required' | 'forbidden';
  /** How long a task of this tool is stored after its creation, in milliseconds. @default the server's `tasks.ttlMs` */
  readonly ttlMs?: number;
  /**
   * The polling interval that the server suggests to clients for the task, in milliseconds.
   * @default the server's `tasks.pollIntervalMs`
   */
  readonly pollIntervalMs?: number;
  /**
   * The app that shows the results in hosts that support apps: a file, a folder, or an app's URI or name. @default
   * nothing
   */
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
  /** The programmatic name. @default the method's name */
  readonly name?: string;
  /** The media type of the contents. @default inferred from the result */
  readonly mimeType?: string;
  /** The size of the contents in bytes. @default not declared */
  readonly size?: number;
  /** Hints for hosts that show or use the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /**
   * The maximum size of the response to a read, in bytes. A larger response causes an error. @default the server's
   * `limits.resultBytes`
   */
  readonly resultBytes?: number;
  /**
   * An app's page, for a `uri` that starts with `ui://`. @default the page that the handler returns, without
   * permissions
   */
  readonly ui?: AppPageOptions;
}

/**
 * Describes an app: a page that hosts show next to the conversation.
 *
 * @see SEP-1865, "UI Resource Format"
 */
export interface AppOptions extends ListedOptions, AppPageOptions {
  /** The URI, which starts with `ui://` and is unique within the server. @default `ui://<server name>/<name>` */
  readonly uri?: string;
  /** The programmatic name. @default the method's name */
  readonly name?: string;
  /** Hints for hosts that show or use the page. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the page. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /**
   * The maximum size of the response to a read, in bytes. A larger response causes an error. @default the server's
   * `limits.resultBytes`
   */
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
  /** The programmatic name. @default the method's name */
  readonly name?: string;
  /** The media type of the contents, if they all share it. @default inferred from the result */
  readonly mimeType?: string;
  /** Hints for hosts that show or use the contents. @default none */
  readonly annotations?: Annotations;
  /** How long clients may cache the contents. @default the server's `cache.resourceContents` */
  readonly cache?: CacheHint;
  /**
   * The maximum size of the response to a read, in bytes. A larger response causes an error. @default the server's
   * `limits.resultBytes`
   */
  readonly resultBytes?: number;
  /** The matching apps' description for hosts, if the `uriTemplate` starts with `ui://`. @default no permissions */
  readonly ui?: AppPolicy;
}

/**
 * Describes a prompt.
 *
 * @see MCP server/prompts
 */
export interface PromptOptions extends ListedOptions {
  /** The name, unique in the server. @default the method's name */
  readonly name?: string;
  /** The arguments as clients see them, or the schema of an object with the arguments. @default no arguments */
  readonly arguments?: readonly PromptArgument[] | SchemaSource;
  /** Hints for hosts that show or use the prompt. @default none */
  readonly annotations?: Annotations;
  /**
   * The maximum size of the response to a request, in bytes. A larger response causes an error. @default the server's
   * `limits.resultBytes`
   */
  readonly resultBytes?: number;
}

/** Completes one argument of a prompt. */
export interface PromptCompletionOptions {
  /** The prompt name. */
  readonly prompt: string;
  /** The argument name. */
  readonly argument: string;
}

/** Completes one variable of a resource template. */
export interface ResourceTemplateCompletionOptions {
  /** The URI template, exactly as in the template options. */
  readonly resourceTemplate: string;
  /** The variable name. */
  readonly argument: string;
}

/**
 * The argument or variable that a handler completes.
 *
 * @see MCP server/utilities/completion
 */
export type CompleteOptions = PromptCompletionOptions | ResourceTemplateCompletionOptions;

/** Limits how many calls run concurrently in one process. Set `max`, `maxPerCaller` or both. */
export interface ConcurrencyOptions {
  /** The maximum number of concurrent calls per caller. @default the value of `max` */
  readonly maxPerCaller?: number;
  /** The maximum number of concurrent calls from all callers combined. @default no limit */
  readonly max?: number;
  /** How many calls may wait for a free slot; an object also limits how long. @default 0: a call without a free slot is rejected */
  readonly queue?: number | ConcurrencyQueueOptions;
}

/** Limits on the queue of waiting calls. */
export interface ConcurrencyQueueOptions {
  /** The maximum number of waiting calls. @default 100 */
  readonly length?: number;
  /** How long a call may wait, in milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
}
