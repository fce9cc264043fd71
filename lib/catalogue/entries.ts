import type { McpContext } from '../context/mcp-context.interface.js';
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from '../protocol/definitions.js';
import type { ParameterHeader } from '../protocol/parameter-headers.js';
import type { CacheHint } from '../protocol/results.js';
import type { UriTemplate } from '../protocol/uri-template.js';
import type { CompiledSchema } from '../schema/compiled-schema.interface.js';
import type { Entry } from './registry.js';

/**
 * Calls a handler with its arguments and the context of the request.
 *
 * It gives what the handler, or an exception filter in its place, gave: a value or a promise, never an Observable.
 */
export type Invoke = (args: unknown, context: McpContext) => unknown;

/** What every entry of the catalogue has. */
export interface CatalogueEntry extends Entry {
  readonly invoke: Invoke;
}

/** A tool; its key is its name. */
export interface ToolEntry extends CatalogueEntry {
  readonly definition: ToolDefinition;
  readonly input: CompiledSchema;
  /** Absent where the tool declares no structured content. */
  readonly output?: CompiledSchema;
  /** The arguments that requests repeat as headers. */
  readonly parameterHeaders: readonly ParameterHeader[];
  /** Milliseconds that a call may take; absent where the server's limit counts. */
  readonly timeoutMs?: number;
}

/** A resource; its key is its URI. */
export interface ResourceEntry extends CatalogueEntry {
  readonly definition: ResourceDefinition;
  /** Absent where the server's hint counts. */
  readonly cache?: CacheHint;
}

/** A resource template; its key is its URI template. */
export interface ResourceTemplateEntry extends CatalogueEntry {
  readonly definition: ResourceTemplateDefinition;
  readonly template: UriTemplate;
  /** Absent where the server's hint counts. */
  readonly cache?: CacheHint;
}

/** A prompt; its key is its name. */
export interface PromptEntry extends CatalogueEntry {
  readonly definition: PromptDefinition;
  /** Absent where the arguments are a plain list, and `definition.arguments` is all there is to check. */
  readonly input?: CompiledSchema;
}

/** A completion of one argument; its key names the prompt or the template, and the argument. */
export type CompletionEntry = CatalogueEntry;
