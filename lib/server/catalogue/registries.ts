import { Injectable } from '@nestjs/common';
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

  /** Lets resources be found that no list shows. One of the catalogue goes before them. */
  addUnlisted(find: FindUnlisted): void {
    this.#finders.push(find);
  }

  override find(uri: string): ResourceEntry | undefined {
    const listed = super.find(uri);
    if (listed !== undefined || this.#finders.length === 0) return listed;
    for (const find of this.#finders) {
      const found = find(uri);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** Finds the entry that serves a URI, such as the skill of a file. */
export type FindUnlisted = (uri: string) => ResourceEntry | undefined;

/** A resource template with what a URI gives for its variables. */
export interface TemplateMatch {
  readonly entry: ResourceTemplateEntry;
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
      if (variables !== undefined && hidden?.has(entry) !== true) return { entry, variables };
    }
    return undefined;
  }
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
