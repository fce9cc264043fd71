import type { CacheHint } from '../../../core/protocol/results.js';
import type { ResourceEntry } from '../../catalog/entries.js';
import { readPage, type EntryList, type Page } from '../../catalog/registry.js';
import type { ResourceRegistry } from '../../catalog/registries.js';
import type { Visibility } from '../../catalog/visibility/visibility.js';
import type { RequestContext } from '../../context/request-context.js';
import { ListVisibility } from '../../methods/lists/list-pages.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ServedSkill } from './served-skill.js';
import type { SkillShelf } from './skill-shelf.js';

/** The entries of skills among the resources, and what callers see of them. */
export class SkillEntries implements EntryList<ResourceEntry> {
  readonly #scopes: ListVisibility<ResourceEntry>;
  #listed: readonly ResourceEntry[] = [];
  #version = -1;

  constructor(
    private readonly shelf: SkillShelf,
    private readonly resources: ResourceRegistry,
    private readonly visibility: Visibility,
    private readonly settings: ServerSettings,
  ) {
    this.#scopes = new ListVisibility(this, settings.auth?.filterLists === true);
  }

  get version(): number {
    return this.resources.version + this.shelf.version;
  }

  /** What depends on the caller is nobody else's: the same for the list and for each skill in it. */
  get hint(): CacheHint {
    const hint = this.settings.cache.skills;
    const isPersonal = this.settings.auth?.filterLists === true || this.visibility.isConditional(this.list());
    return isPersonal ? { ...hint, scope: 'private' } : hint;
  }

  list(): readonly ResourceEntry[] {
    if (this.#version !== this.version) {
      this.#version = this.version;
      this.#listed = this.resources.list().filter((entry) => this.shelf.has(entry));
    }
    return this.#listed;
  }

  page(after: number, size: number, shows?: (entry: ResourceEntry) => boolean): Page<ResourceEntry> {
    return readPage(this.list(), { after, size, shows });
  }

  /** Lists the entries of the skills that lie in the one of an entry. */
  listNested({ key }: ResourceEntry): readonly ResourceEntry[] {
    const skill = this.shelf.find(key);
    return skill === undefined ? [] : this.shelf.listNested(skill).flatMap((nested) => this.#find(nested));
  }

  /** Selects of some skills those that a caller is shown. */
  async select(skills: readonly ServedSkill[], context: RequestContext): Promise<ReadonlySet<ServedSkill>> {
    const { shows } = this.#scopes.find(context.auth);
    const entries = skills.flatMap((skill) => this.#find(skill)).filter((entry) => shows?.(entry) !== false);
    const seen = this.visibility.isConditional(entries)
      ? await this.visibility.select(entries, Infinity, context)
      : new Set(entries);
    return new Set(skills.filter((skill) => this.#find(skill).some((entry) => seen.has(entry))));
  }

  #find(skill: ServedSkill): readonly ResourceEntry[] {
    const entry = this.shelf.findEntry(skill);
    return entry === undefined ? [] : [entry];
  }
}
