import { Logger } from '../../../core/logger/logger.js';
import type { CacheHint } from '../../../core/protocol/results.js';
import type { McpContext } from '../../context/mcp-context.interface.js';
import type { ResourceEntry } from '../../catalog/entries.js';
import type { ResourceRegistry } from '../../catalog/registries.js';
import { readPage, type EntryList, type Page } from '../../catalog/registry.js';
import type { Visibility } from '../../catalog/visibility/visibility.js';
import type { RequestContext } from '../../context/request-context.js';
import { ListVisibility } from '../../methods/lists/list-pages.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import type { ServedSkill } from './served-skill.js';
import { SkillError } from './skill.error.js';

/** A server's skills, by their folder URIs. */
export class SkillRegistry {
  readonly #logger = new Logger('McpSkills');
  readonly #skills = new Map<string, ServedSkill>();
  readonly #entries = new Map<string, ResourceEntry>();
  /** The number of path segments in the deepest skill's URI, which limits lookups. */
  #depth = 0;
  #mostSkills = Infinity;
  #version = 0;
  /** Nested skills, by the outer skill's folder. */
  #nested: ReadonlyMap<string, readonly ServedSkill[]> | undefined;

  constructor(private readonly resources: ResourceRegistry) {}

  /** Makes skills' files readable as resources. */
  open(mostSkills: number): void {
    this.#mostSkills = mostSkills;
    this.resources.addUnlisted((uri) => {
      const skill = this.findContaining(uri);
      return skill && this.#entries.get(skill.root);
    });
  }

  /** Increases with each addition, change and removal. */
  get version(): number {
    return this.#version;
  }

  get skills(): readonly ServedSkill[] {
    return [...this.#skills.values()];
  }

  /** Finds a skill by the URI of its `SKILL.md`. */
  find(uri: string): ServedSkill | undefined {
    const skill = this.findContaining(uri);
    return skill?.uri === uri ? skill : undefined;
  }

  /** Finds the innermost skill that contains a URI. */
  findContaining(uri: string): ServedSkill | undefined {
    let end = uri.indexOf('://') + 2;
    if (end < 2) return undefined;
    let found: ServedSkill | undefined;
    for (let depth = 0; depth < this.#depth && end < uri.length; depth += 1) {
      const next = uri.indexOf('/', end + 1);
      end = next < 0 ? uri.length : next;
      found = this.#skills.get(uri.slice(0, end)) ?? found;
    }
    return found;
  }

  /** Lists the skills nested in a skill. */
  listNested(skill: ServedSkill): readonly ServedSkill[] {
    this.#nested ??= groupNested(this.#skills);
    return this.#nested.get(skill.root) ?? [];
  }

  /** Finds a skill's catalog entry. */
  findEntry(skill: ServedSkill): ResourceEntry | undefined {
    return this.#entries.get(skill.root);
  }

  /** Returns whether a catalog entry belongs to a skill. */
  has(entry: ResourceEntry): boolean {
    const skill = this.find(entry.key);
    return skill !== undefined && this.#entries.get(skill.root) === entry;
  }

  /**
   * Adds a skill.
   *
   * @throws {SkillError} if its URI is in use, it is nested in a skill from another source, or there are too many
   * skills
   * @throws {CatalogError} if its access options are invalid, or a resource has its URI
   */
  add(skill: ServedSkill): void {
    this.#assertUnique(skill);
    this.#warnAboutName(skill);
    this.#entries.set(skill.root, this.resources.add(this.#buildEntry(skill)));
    this.#skills.set(skill.root, skill);
    this.#depth = Math.max(this.#depth, skill.parts.path.split('/').length);
    this.#change();
  }

  /** Replaces the skill with the same URI. */
  replace(skill: ServedSkill): void {
    this.#skills.set(skill.root, skill);
    this.#entries.set(skill.root, this.resources.replace(this.#buildEntry(skill)));
    this.#change();
  }

  remove(skill: ServedSkill): void {
    this.#skills.delete(skill.root);
    this.#entries.delete(skill.root);
    this.resources.remove(skill.uri);
    this.#change();
  }

  #change(): void {
    this.#nested = undefined;
    this.#version += 1;
  }

  #buildEntry(skill: ServedSkill) {
    // The lookup happens on read, so an entry found earlier still returns current content.
    return skill.buildEntry((uri: string, context: McpContext) =>
      this.findContaining(uri)?.read(uri, context),
    );
  }

  #assertUnique({ root, uri, parts: { place, owner } }: ServedSkill): void {
    if (this.#skills.size >= this.#mostSkills) {
      const explanation = `the server already has ${this.#mostSkills} skills: raise "skills.maxSkills"`;
      throw new SkillError(place, explanation);
    }
    const other = this.#skills.get(root);
    if (other !== undefined) {
      const explanation = `its URI "${uri}" is already used by the skill at "${other.parts.place}": rename one of them, or set a "prefix"`;
      throw new SkillError(place, explanation);
    }
    const related = this.skills.find(
      (one) => one.parts.owner !== owner && (isBelow(one.root, root) || isBelow(root, one.root)),
    );
    if (related === undefined) return;
    const explanation = `"${root}" and "${related.root}", at "${related.parts.place}", overlap: give one of them a different "prefix"`;
    throw new SkillError(place, explanation);
  }

  /** Names should be unique for hosts and people (MCP extension skills, "Names"). */
  #warnAboutName({ uri, parts: { frontmatter } }: ServedSkill): void {
    const other = this.skills.find(({ parts }) => parts.frontmatter.name === frontmatter.name);
    if (other === undefined) return;
    this.#logger.warn(`The skills "${other.uri}" and "${uri}" have the same name: rename one of them`);
  }
}

function groupNested(skills: ReadonlyMap<string, ServedSkill>): ReadonlyMap<string, readonly ServedSkill[]> {
  const nested = new Map<string, ServedSkill[]>();
  for (const [root, skill] of skills) {
    for (let end = root.lastIndexOf('/'); end > 'skill://'.length; end = root.lastIndexOf('/', end - 1)) {
      const outer = root.slice(0, end);
      if (!skills.has(outer)) continue;
      const others = nested.get(outer);
      if (others === undefined) nested.set(outer, [skill]);
      else others.push(skill);
    }
  }
  return nested;
}

function isBelow(root: string, other: string): boolean {
  return root.startsWith(`${other}/`);
}

/** The skills' catalog entries, and which of them a caller sees. */
export class SkillEntries implements EntryList<ResourceEntry> {
  readonly #scopes: ListVisibility<ResourceEntry>;
  #listed: readonly ResourceEntry[] = [];
  #version = -1;

  constructor(
    private readonly skillRegistry: SkillRegistry,
    private readonly resources: ResourceRegistry,
    private readonly visibility: Visibility,
    private readonly settings: ServerSettings,
  ) {
    this.#scopes = new ListVisibility(this, settings.auth?.filterLists === true);
  }

  get version(): number {
    return this.resources.version + this.skillRegistry.version;
  }

  /** The cache hint for the list and for each skill; it is private if the response depends on the caller. */
  get hint(): CacheHint {
    const hint = this.settings.cache.skills;
    const isPersonal = this.settings.auth?.filterLists === true || this.visibility.isConditional(this.list());
    return isPersonal ? { ...hint, scope: 'private' } : hint;
  }

  list(): readonly ResourceEntry[] {
    if (this.#version !== this.version) {
      this.#version = this.version;
      this.#listed = this.resources.list().filter((entry) => this.skillRegistry.has(entry));
    }
    return this.#listed;
  }

  page(after: number, size: number, shows?: (entry: ResourceEntry) => boolean): Page<ResourceEntry> {
    return readPage(this.list(), { after, size, shows });
  }

  /** Lists the entries of the skills nested in an entry's skill. */
  listNested({ key }: ResourceEntry): readonly ResourceEntry[] {
    const skill = this.skillRegistry.find(key);
    return skill === undefined
      ? []
      : this.skillRegistry.listNested(skill).flatMap((nested) => this.#find(nested));
  }

  /** Selects the skills that a caller sees. */
  async select(skills: readonly ServedSkill[], context: RequestContext): Promise<ReadonlySet<ServedSkill>> {
    const { shows } = this.#scopes.find(context.auth);
    const entries = skills.flatMap((skill) => this.#find(skill)).filter((entry) => shows?.(entry) !== false);
    const seen = this.visibility.isConditional(entries)
      ? await this.visibility.select(entries, Infinity, context)
      : new Set(entries);
    return new Set(skills.filter((skill) => this.#find(skill).some((entry) => seen.has(entry))));
  }

  #find(skill: ServedSkill): readonly ResourceEntry[] {
    const entry = this.skillRegistry.findEntry(skill);
    return entry === undefined ? [] : [entry];
  }
}
