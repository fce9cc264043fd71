import type { Access, CatalogEntry } from './entries.js';
import { normalizeUri } from '../../core/protocol/normalize-uri.js';
import type { NamedResource } from './scopes/required-scopes.js';
import type { ResourceRegistry, ResourceTemplateRegistry, ResourceMatch } from './registries.js';
import { selectLeastAccess, listAccessPaths, type AccessCaller } from './access-paths.js';

/** Finds the declared access of resources and templates. */
export class ResourceAccess {
  #isDeclared = false;
  #isDynamic = false;
  #version = -1;

  constructor(
    private readonly resources: ResourceRegistry,
    private readonly templates: ResourceTemplateRegistry,
  ) {}

  /** Whether any resource is public or requires more than a token. If none does, there is nothing to look up. */
  get isDeclared(): boolean {
    this.#update();
    return this.#isDeclared;
  }

  /** Whether any resource's access depends on its URI or on the caller. */
  get isDynamic(): boolean {
    this.#update();
    return this.#isDynamic;
  }

  /** Finds the declared access for a URI's resource. Returns `undefined` if none is declared. */
  find(uri: string, caller: AccessCaller = {}): Access | undefined {
    const entry = this.findEntry(uri, caller.hidden);
    return entry && selectLeastAccess(entry, caller);
  }

  /**
   * Finds the resource or else the template for a URI.
   *
   * @param hidden entries that are hidden from the caller
   */
  findEntry(uri: string, hidden?: ReadonlySet<object>): CatalogEntry | undefined {
    return this.findNamed(uri, hidden)?.entry;
  }

  /**
   * Finds the resource for a URI, or else the template with its variable values, and the URI to which access rules
   * apply.
   */
  findNamed(uri: string, hidden?: ReadonlySet<object>): NamedResource | undefined {
    return findNamed({ resources: this.resources, templates: this.templates }, uri, hidden);
  }

  /** Returns the normal form of a URI, or of the resource that it refers to if there is one. */
  normalize(uri: string): string {
    return this.findUri(uri) ?? normalizeUri(uri);
  }

  /** Finds the normal form of a resource URI. Returns `undefined` if nothing visible to the caller serves it. */
  findUri(uri: string, hidden?: ReadonlySet<object>): string | undefined {
    const found = this.findNamed(uri, hidden);
    return found && normalizeUri(found.uri);
  }

  #update(): void {
    const version = this.resources.version + this.templates.version;
    if (version === this.#version) return;
    const entries: readonly CatalogEntry[] = [...this.resources.list(), ...this.templates.list()];
    this.#isDeclared = entries.some((entry) =>
      listAccessPaths(entry).some(({ access }) => access !== undefined),
    );
    this.#isDynamic = entries.some(
      (entry) => entry.access?.dynamic !== undefined || listAccessPaths(entry).length > 1,
    );
    this.#version = version;
  }
}

/** What serves URIs. */
export interface ResourceRegistries {
  readonly resources: ResourceRegistry;
  readonly templates: ResourceTemplateRegistry;
}

/** Finds what serves a URI. Falls back to comparing hosts case-insensitively if nothing matches. */
export function findNamed(
  { resources, templates }: ResourceRegistries,
  uri: string,
  hidden?: ReadonlySet<object>,
): NamedResource | undefined {
  const see = (match: ResourceMatch | undefined): NamedResource | undefined =>
    match === undefined || hidden?.has(match.entry) === true ? undefined : { ...match, variables: {} };
  return (
    see(resources.findNamed(uri)) ??
    templates.match(uri, hidden) ??
    see(resources.findFolded(uri)) ??
    templates.match(uri, hidden, true)
  );
}
