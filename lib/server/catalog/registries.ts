import { foldUri, normalizeUri } from '../../core/protocol/normalize-uri.js';
import { parseUri } from '../../core/protocol/uri-template.js';
import type { VariableValues } from '../../core/protocol/uri-template/match-template.js';
import type { CompleteOptions } from '../settings/handler-options.interface.js';
import type {
  CompletionEntry,
  PromptEntry,
  ResourceEntry,
  ResourceTemplateEntry,
  ToolEntry,
} from './entries.js';
import { Registry } from './registry.js';
import { Subject, type Observable } from 'rxjs';
import { mergeScopes } from '../../core/oauth/scope.js';

/** A server's tools. */
export class ToolRegistry extends Registry<ToolEntry> {
  readonly kind = 'tool';
}

/** A server's resources. */
export class ResourceRegistry extends Registry<ResourceEntry> {
  readonly kind = 'resource';
  readonly #finders: FindUnlisted[] = [];
  #forms: UriForms | undefined;

  /** Finds resources that are not listed. Catalog resources take precedence over them. */
  addUnlisted(find: FindUnlisted): void {
    this.#finders.push(find);
  }

  override find(uri: string): ResourceEntry | undefined {
    return super.find(uri) ?? this.#findUnlisted(uri)?.entry;
  }

  /**
   * Finds the resource for a URI, comparing URIs exactly and then in normal form. Listed resources take precedence.
   */
  findNamed(uri: string): ResourceMatch | undefined {
    const normal = normalizeUri(uri);
    const listed = super.find(uri) ?? this.#getForms().normal.get(normal);
    if (listed !== undefined) return { entry: listed, uri: listed.key };
    return this.#findUnlisted(uri) ?? this.#findUnlisted(normal);
  }

  /**
   * Finds the only resource that matches when hosts are compared case-insensitively, for clients that lowercase them.
   */
  findFolded(uri: string): ResourceMatch | undefined {
    const entry = this.#getForms().folded.get(foldUri(uri));
    return entry && { entry, uri: entry.key };
  }

  #findUnlisted(uri: string): ResourceMatch | undefined {
    for (const find of this.#finders) {
      const entry = find(uri);
      if (entry !== undefined) return { entry, uri };
    }
    return undefined;
  }

  #getForms(): UriForms {
    if (this.#forms?.version !== this.version) {
      const entries = this.list();
      const normal = groupBy(entries, normalizeUri);
      this.#forms = { version: this.version, normal, folded: groupBy(entries, foldUri) };
    }
    return this.#forms;
  }
}

/** The resources of one version of the list, keyed by forms of their URIs. */
interface UriForms {
  readonly version: number;
  readonly normal: ByForm;
  readonly folded: ByForm;
}

/** Resources, keyed by a form of their URIs; `undefined` where several have the same form. */
type ByForm = ReadonlyMap<string, ResourceEntry | undefined>;

function groupBy(entries: readonly ResourceEntry[], write: (uri: string) => string): ByForm {
  const found = new Map<string, ResourceEntry | undefined>();
  for (const entry of entries) {
    const form = write(entry.key);
    found.set(form, found.has(form) ? undefined : entry);
  }
  return found;
}

/** A resource with the URI that access rules and handlers use. */
export interface ResourceMatch {
  readonly entry: ResourceEntry;
  readonly uri: string;
}

/** Finds the entry that serves a URI, such as the skill that a file belongs to. */
export type FindUnlisted = (uri: string) => ResourceEntry | undefined;

/** A resource template with the variable values from a URI. */
export interface TemplateMatch {
  readonly entry: ResourceTemplateEntry;
  /** The URI in normal form, with the scheme as the template spells it, which access rules and handlers use. */
  readonly uri: string;
  readonly variables: VariableValues;
}

/** The resource templates of a server. */
export class ResourceTemplateRegistry extends Registry<ResourceTemplateEntry> {
  readonly kind = 'resource template';

  /**
   * Finds the first template, in list order, that matches a URI's normal form.
   *
   * @param hidden templates that are hidden from the caller
   * @param foldsHost whether the host's case may differ from the template
   */
  match(uri: string, hidden?: ReadonlySet<object>, foldsHost = false): TemplateMatch | undefined {
    if (this.size === 0) return undefined;
    const normal = normalizeUri(uri);
    // The URI is parsed once for all templates, because parsing is slower than most mismatches.
    const parsed = parseUri(normal);
    if (parsed === undefined) return undefined;
    for (const entry of this.list()) {
      const variables = entry.template.match(parsed, foldsHost);
      if (variables === undefined || hidden?.has(entry) === true) continue;
      return { entry, variables, uri: writeAs(entry.template.template, normal) };
    }
    return undefined;
  }
}

/** Writes a URI's scheme and host in the template's spelling, unless they are variables. */
function writeAs(template: string, normal: string): string {
  const [fixed = ''] = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#@{]*(?=[/?#]|$))?/i.exec(template) ?? [];
  return normal.slice(0, fixed.length).toLowerCase() === fixed.toLowerCase()
    ? fixed + normal.slice(fixed.length)
    : normal;
}

/** A server's prompts. */
export class PromptRegistry extends Registry<PromptEntry> {
  readonly kind = 'prompt';
}

/** A server's completions, which no list shows. */
export class CompletionRegistry extends Registry<CompletionEntry> {
  readonly kind = 'completion';

  /** The key contains the target's kind. */
  override describe(key: string): string {
    return `${this.kind} of ${key}`;
  }

  /** Finds the completion for one argument of a prompt or a resource template. */
  findFor(options: CompleteOptions): CompletionEntry | undefined {
    return this.find(formatCompletionKey(options));
  }
}

/** The registries for all handlers of one server. */
export class Registries {
  readonly tools = new ToolRegistry();
  readonly resources = new ResourceRegistry();
  readonly templates = new ResourceTemplateRegistry();
  readonly prompts = new PromptRegistry();
  readonly completions = new CompletionRegistry();
}

/**
 * Names a completion's subject.
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

/** Tracks the scopes that extensions require, because their entries are not in a registry. */
export class ExtensionScopes {
  readonly #changes = new Subject<void>();
  #scopes: readonly string[] = [];

  /** Emits after each addition. */
  readonly changes$: Observable<void> = this.#changes.asObservable();

  /** Each once, in the order in which they were added. */
  get scopes(): readonly string[] {
    return this.#scopes;
  }

  add(scopes: readonly string[]): void {
    this.#scopes = mergeScopes(this.#scopes, scopes);
    this.#changes.next();
  }
}
