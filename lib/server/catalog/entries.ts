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
 * Calls a handler with its arguments and the context of the request.
 *
 * It returns the result of the handler, or of an exception filter: a value or a promise, never an Observable.
 */
export type Invoke = (args: unknown, context: McpContext) => unknown;

/** Options with the name that lists show, which a decorator may leave to the method, and with who may call. */
export type Named<Options> = Options & AccessOptions & { readonly name: string };

/** Who may call an entry. */
export interface Access {
  /** Scopes that are needed, all of them. */
  readonly scopes: readonly string[];
  /** Whether no token is needed. */
  readonly isPublic: boolean;
  /** Further scopes that depend on the arguments; absent if there are none. */
  readonly dynamic?: DynamicScopes;
}

/** What every entry of the catalog has. */
export interface CatalogEntry extends Entry {
  readonly invoke: Invoke;
  /** Who may call it, if it is declared. */
  readonly access?: Access;
  /** How many calls may run concurrently, if it is limited. */
  readonly concurrency?: ConcurrencyOptions;
  /** The most bytes of a response; absent if the server's limit applies. */
  readonly resultBytes?: number;
  /** Gives the entries that use it. Only a caller that may use one of them may use it. Absent if it decides itself. */
  readonly usedBy?: () => readonly CatalogEntry[];
  /** Whether calls return prebuilt content, so that no guard runs. @default false */
  readonly isPrebuilt?: boolean;
  /** The class and the method of the decorator; absent if there is none. */
  readonly origin?: Pick<VisibleHandler, 'classRef' | 'method'>;
}

/** What every entry of a list has. */
export interface ListedEntry<Definition, Options> extends CatalogEntry {
  /** The entry as its list shows it, with all that any revision defines. */
  readonly definition: Definition;
  /** The options from which the entry was built. */
  readonly options: Named<Options>;
}

/** A tool; its key is its name. */
export interface ToolEntry extends ListedEntry<ToolDefinition, ToolOptions> {
  readonly input: CompiledSchema;
  /** Absent if the tool declares no structured content. */
  readonly output?: CompiledSchema;
  /** The arguments that requests repeat as headers. */
  readonly parameterHeaders: readonly ParameterHeader[];
  /** The most milliseconds of a call; absent if the server's limit applies. */
  readonly timeoutMs?: number;
  /** The description of the tool for hosts that show apps; absent if the tool has no app. */
  readonly app?: AppToolMeta;
}

/** The page of an app. */
export interface AppPage {
  /** The metadata for hosts. */
  readonly meta: AppResourceMeta;
  /** The source of the page and its expected kind; absent if its handler returns it. */
  readonly source?: { readonly path: string; readonly expects: 'file' | 'directory' | 'either' };
  /** The page itself, once it has been read. */
  readonly html?: string;
}

/** A resource; its key is its URI. */
export interface ResourceEntry extends ListedEntry<ResourceDefinition, ResourceOptions> {
  /** Absent if it is no app. */
  readonly app?: AppPage;
  /** Absent if the server's hint counts. */
  readonly cache?: CacheHint;
}

/** A resource template; its key is its URI template. */
export interface ResourceTemplateEntry extends ListedEntry<
  ResourceTemplateDefinition,
  ResourceTemplateOptions
> {
  readonly template: UriTemplate;
  /** Absent if what matches is no app. */
  readonly app?: AppPage;
  /** Absent if the server's hint counts. */
  readonly cache?: CacheHint;
}

/** A prompt; its key is its name. */
export interface PromptEntry extends ListedEntry<PromptDefinition, PromptOptions> {
  /** Absent if the arguments are a plain list, and `definition.arguments` is all there is to check. */
  readonly input?: CompiledSchema;
  /** The values of each argument that accepts only listed ones; absent if there is no such argument. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
}

/** A completion of one argument; its key names the prompt or the template, and the argument. */
export type CompletionEntry = CatalogEntry;
