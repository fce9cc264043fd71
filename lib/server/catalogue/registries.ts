import { Injectable } from '@nestjs/common';
import { foldUri, normalizeUri } from '../../core/protocol/normalize-uri.js';
import { parseUri } from '../../core/protocol/uri-template.js';
import type { VariableValues } from '../../core/protocol/uri-template/read-variables.js';
import type { CompleteOptions } from '../settings/handler-options.interface.js';
import type {
  CompletionEntry,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from './entries.js';
import { Registry } from './registry.js';

/** The tools of a server. */
@Injectable()
export class ToolRegistry extends Registry<ToolEntry> {
  readonly kind = 'tool';
}

/** The resources of a server. */
@Injectable()
export class ResourceRegistry extends Registry<ResourceEntry> {
  readonly kind = 'resource';
  readonly #finders: FindUnlisted[] = [];
  #byNormalForm: ByForm = new Map();
  #byFoldedForm: ByForm = new Map();
  #version = -1;

  /** Lets resources be found that no list shows. One of the catalogue goes before them. */
  addUnlisted(find: FindUnlisted): void {
    this.#finders.push(find);
  }

  override find(uri: string): ResourceEntry | undefined {
    return super.find(uri) ?? this.#findUnlisted(uri)?.entry;
  }

  /** Finds the resource that a client means: of this text, or else of the same normal form. A listed one goes before others. */
  findNamed(uri: string): ResourceMatch | undefined {
    const listed = super.find(uri) ?? this.#findByNormalForm(uri);
    if (listed !== undefined) return { entry: listed, uri: listed.key };
    return this.#findUnlisted(uri) ?? this.#findUnlisted(normalizeUri(uri));
  }

  #findUnlisted(uri: string): ResourceMatch | undefined {
    for (const find of this.#finders) {
      const entry = find(uri);
      if (entry !== undefined) return { entry, uri };
    }
    return undefined;
  }

  #findByNormalForm(uri: string): ResourceEntry | undefined {
    if (this.size === 0) return undefined;
    if (this.#version !== this.version) {
      this.#byNormalForm = groupBy(this.list(), normalizeUri);
      this.#byFoldedForm = groupBy(this.list(), foldUri);
      this.#version = this.version;
    }
    // Some clients write the host in lower case too: they mean the resource that alone can be meant.
    return this.#byNormalForm.get(normalizeUri(uri)) ?? this.#byFoldedForm.get(foldUri(uri));
  }
}

/** Resources by a form of their URIs; nothing where several have the same. */
type ByForm = ReadonlyMap<string, ResourceEntry | undefined>;

function groupBy(entries: readonly ResourceEntry[], write: (uri: string) => string): ByForm {
  const found = new Map<string, ResourceEntry | undefined>();
  for (const entry of entries) {
    const form = write(entry.key);
    found.set(form, found.has(form) ? undefined : entry);
  }
  return found;
}

/** A resource with the URI that rules and handlers judge. */
export interface ResourceMatch {
  readonly entry: ResourceEntry;
  readonly uri: string;
}

/** Finds the entry that serves a URI, such as the skill of a file. */
export type FindUnlisted = (uri: string) => ResourceEntry | undefined;

/** A resource template with what a URI gives for its variables. */
export interface TemplateMatch {
  readonly entry: ResourceTemplateEntry;
  /** The URI in its normal form, with the scheme as the template writes it: the one that rules and handlers judge. */
  readonly uri: string;
  readonly variables: VariableValues;
}

/** The resource templates of a server. */
@Injectable()
export class ResourceTemplateRegistry extends Registry<ResourceTemplateEntry> {
  readonly kind = 'resource template';

  /**
   * Finds the first template, in the order of the list, that a URI matches.
   *
   * @param hidden templates that do not exist for the caller
   */
  match(uri: string, hidden?: ReadonlySet<object>): TemplateMatch | undefined {
    // The URI is parsed once for all templates, because parsing takes longer than most templates need to refuse a URI.
    const parsed = this.size === 0 ? undefined : parseUri(uri);
    if (parsed === undefined) return undefined;
    for (const entry of this.list()) {
      const variables = entry.template.match(parsed);
      if (variables !== undefined && hidden?.has(entry) !== true)
        return { entry, variables, uri: writeFor(entry, uri) };
    }
    return undefined;
  }
}

function writeFor({ template: { template } }: ResourceTemplateEntry, uri: string): string {
  const normal = normalizeUri(uri);
  const colon = normal.indexOf(':');
  const scheme = template.slice(0, colon);
  return scheme.toLowerCase() === normal.slice(0, colon) ? scheme + normal.slice(colon) : normal;
}

/** The prompts of a server. */
@Injectable()
export class PromptRegistry extends Registry<PromptEntry> {
  readonly kind = 'prompt';
}

/** The completions of a server: no list shows them. */
@Injectable()
export class CompletionRegistry extends Registry<CompletionEntry> {
  readonly kind = 'completion';

  /** The key says itself what is completed. */
  override describe(key: string): string {
    return `${this.kind} of ${key}`;
  }

  /** Finds the completion of one argument of a prompt or a resource template. */
  findFor(options: CompleteOptions): CompletionEntry | undefined {
    return this.find(formatCompletionKey(options));
  }
}

/**
 * Names the subject of a completion.
 *
 * @example
 * formatCompletionKey({ prompt: 'greet', argument: 'name' }); // prompt "greet", argument "name"
 */
export function formatCompletionKey(options: CompleteOptions): string {
  const { argument } = options;
  const subject =
    'prompt' in options
      ? `prompt ${JSON.stringify(options.prompt)}`
      : `resource template ${JSON.stringify(options.resourceTemplate)}`;
  return `${subject}, argument ${JSON.stringify(argument)}`;
}
