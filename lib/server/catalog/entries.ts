import type { AppResourceMeta, AppToolMeta } from '../../core/protocol/apps/app-meta.js';
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../../core/protocol/definitions.js';
import type { ParameterHeader } from '../../core/protocol/headers/parameter-headers.js';
import type { CacheHint } from '../../core/protocol/results.js';
import type { UriTemplate } from '../../core/protocol/uri-template.js';
import type { McpContext } from '../context/mcp-context.interface.js';
import type { CompiledSchema } from '../schema/compiled-schema.interface.js';
import type {
  AccessOptions,
  PromptOptions,
  ResourceOptions,
  ResourceTemplateOptions,
  ToolOptions,
  ConcurrencyOptions,
} from '../settings/handler-options.interface.js';
import type { VisibleHandler } from '../settings/visibility.interface.js';
import type { Entry } from './registry.js';
import type { DynamicScopes } from './scopes/dynamic-scopes.js';

/**
 * Calls a handler with its arguments and the request's context.
 *
 * Returns the result of the handler or an exception filter: a value or a promise, never an Observable.
 */
export type Invoke = (args: unknown, context: McpContext) => unknown;

/** Options with their access and the listed name, which defaults to the method name in decorators. */
export type Named<Options> = Options & AccessOptions & { readonly name: string };

/** The declared access of an entry. */
export interface Access {
  /** The required scopes; a caller needs all of them. */
  readonly scopes: readonly string[];
  /** Whether no token is required. */
  readonly isPublic: boolean;
  /** Further scopes that depend on the arguments; absent if there are none. */
  readonly dynamic?: DynamicScopes;
}

/** The properties of every catalog entry. */
export interface CatalogEntry extends Entry {
  readonly invoke: Invoke;
  /** Its access, if declared. */
  readonly access?: Access;
  /** How many calls may run concurrently, if there is a limit. */
  readonly concurrency?: ConcurrencyOptions;
  /** The maximum response size in bytes; absent if the server's limit applies. */
  readonly resultBytes?: number;
  /**
   * Returns the entries that use it. A caller may use it only if the caller may use one of them. Absent if the entry
   * declares its own access.
   */
  readonly usedBy?: () => readonly CatalogEntry[];
  /** Whether calls return prebuilt content without running guards. @default false */
  readonly isPrebuilt?: boolean;
  /** The class and the decorated method; absent if there is none. */
  readonly origin?: Pick<VisibleHandler, 'classRef' | 'method'>;
}

/** The properties of every listed entry. */
export interface ListedEntry<Definition, Options> extends CatalogEntry {
  /** The entry in its listed form, with the fields of all revisions. */
  readonly definition: Definition;
  /** The options that the entry was built from. */
  readonly options: Named<Options>;
}

/** A tool; its key is its name. */
export interface ToolEntry extends ListedEntry<ToolDefinition, ToolOptions> {
  readonly input: CompiledSchema;
  /** Absent if the tool declares no structured content. */
  readonly output?: CompiledSchema;
  /** The arguments that requests repeat as headers. */
  readonly parameterHeaders: readonly ParameterHeader[];
  /** The maximum duration of a call in milliseconds; absent if the server's limit applies. */
  readonly timeoutMs?: number;
  /** The tool's description for hosts that show apps; absent if the tool has no app. */
  readonly app?: AppToolMeta;
}

/** An app's page. */
export interface AppPage {
  /** The metadata for hosts. */
  readonly meta: AppResourceMeta;
  /** The page's source and expected kind; absent if the handler returns the page. */
  readonly source?: { readonly path: string; readonly expects: 'file' | 'directory' | 'either' };
  /** The page itself, once it has been read. */
  readonly html?: string;
}

/** A resource; its key is its URI. */
export interface ResourceEntry extends ListedEntry<ResourceDefinition, ResourceOptions> {
  /** Absent if it is not an app. */
  readonly app?: AppPage;
  /** Absent if the server's hint applies. */
  readonly cache?: CacheHint;
}

/** A resource template; its key is its URI template. */
export interface ResourceTemplateEntry extends ListedEntry<
  ResourceTemplateDefinition,
  ResourceTemplateOptions
> {
  readonly template: UriTemplate;
  /** Absent if matching resources are not apps. */
  readonly app?: AppPage;
  /** Absent if the server's hint applies. */
  readonly cache?: CacheHint;
}

/** A prompt; its key is its name. */
export interface PromptEntry extends ListedEntry<PromptDefinition, PromptOptions> {
  /** Absent if the arguments are a plain list; then `definition.arguments` is all there is to check. */
  readonly input?: CompiledSchema;
  /** The allowed values of each argument that accepts only listed values; absent if there is no such argument. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/** A completion of one argument; its key names the prompt or the template, and the argument. */
export type CompletionEntry = CatalogEntry;
