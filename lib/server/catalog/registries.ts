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

/** The tools of a server. */
export class ToolRegistry extends Registry<ToolEntry> {
  readonly kind = 'tool';
}

/** The resources of a server. */
export class ResourceRegistry extends Registry<ResourceEntry> {
  readonly kind = 'resource';
  readonly #finders: FindUnlisted[] = [];
  #forms: UriForms | undefined;

  /** Lets resources be found that no list shows. One of the catalog goes before them. */
  addUnlisted(find: FindUnlisted): void {
    this.#finders.push(find);
  }

  override find(uri: string): ResourceEntry | undefined {
    return super.find(uri) ?? this.#findUnlisted(uri)?.entry;
  }

  /** Finds the resource of a URI, compared exactly and then in normal form. Listed resources come first. */
  findNamed(uri: string): ResourceMatch | undefined {
    const normal = normalizeUri(uri);
    const listed = super.find(uri) ?? this.#getForms().normal.get(normal);
    if (listed !== undefined) return { entry: listed, uri: listed.key };
    return this.#findUnlisted(uri) ?? this.#findUnlisted(normal);
  }

  /**
   * Finds the only resource that matches if the host is compared without case, for clients that convert it to lower
   * case.
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
  /** The URI in normal form, with the scheme as the template spells it, which access rules and handlers use. */
  readonly uri: string;
  readonly variables: VariableValues;
}

/** The resource templates of a server. */
export class ResourceTemplateRegistry extends Registry<ResourceTemplateEntry> {
  readonly kind = 'resource template';

  /**
   * Finds the first template, in the order of the list, that the normal form of a URI matches.
   *
   * @param hidden templates that do not exist for the caller
   * @param foldsHost whether the host may have another case than the template writes
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

/** Writes the scheme and the host of a URI as a template has them, as far as they are not variables. */
function writeAs(template: string, normal: string): string {
  const [fixed = ''] = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#@{]*(?=[/?#]|$))?/i.exec(template) ?? [];
  return normal.slice(0, fixed.length).toLowerCase() === fixed.toLowerCase()
    ? fixed + normal.slice(fixed.length)
    : normal;
}

/** The prompts of a server. */
export class PromptRegistry extends Registry<PromptEntry> {
  readonly kind = 'prompt';
}

/** The completions of a server: no list shows them. */
export class CompletionRegistry extends Registry<CompletionEntry> {
  readonly kind = 'completion';

  /** The key contains the kind of the target. */
  override describe(key: string): string {
    return `${this.kind} of ${key}`;
  }

  /** Finds the completion of one argument of a prompt or a resource template. */
  findFor(options: CompleteOptions): CompletionEntry | undefined {
    return this.find(formatCompletionKey(options));
  }
}

/** Everything that the handlers of one server are registered in. */
export class Registries {
  readonly tools = new ToolRegistry();
  readonly resources = new ResourceRegistry();
  readonly templates = new ResourceTemplateRegistry();
  readonly prompts = new PromptRegistry();
  readonly completions = new CompletionRegistry();
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

/** Knows the scopes that extensions require, because their entries are in no registry. */
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
