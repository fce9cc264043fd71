import { Logger } from '../../../../core/logger/logger.js';
import { explainError } from '../../../../core/log/describe-failure.js';
import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../../../core/protocol/outbound-message.js';
import type { ResourceEntry } from '../../../catalog/entries.js';
import type { ResourceRegistry } from '../../../catalog/registries.js';
import type { Visibility } from '../../../catalog/visibility/visibility.js';
import type { RequestContext } from '../../../context/request-context.js';
import { ListPages } from '../../../methods/lists/list-pages.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { ServedSkill } from '../served-skill.js';
import { READ_AGAIN_MS } from '../skill-manifest.js';
import type { SkillEntries, SkillRegistry } from '../skill-registry.js';

/** Lists skills with the digests of their files (MCP extension skills, "Listing Skills"). */
export class SkillsList {
  readonly #logger = new Logger('McpSkills');
  readonly #pages: ListPages<ResourceEntry>;
  /** The reasons why skills' files could not be read for the last list, by URI. */
  readonly #unreadable = new Map<string, string>();
  #version = -1;
  #readAt = 0;

  constructor(
    private readonly skillRegistry: SkillRegistry,
    private readonly resources: ResourceRegistry,
    settings: ServerSettings,
    visibility: Visibility,
    entries: SkillEntries,
  ) {
    this.#pages = new ListPages(
      {
        registry: entries,
        list: 'skills',
        has: (entry) => skillRegistry.find(entry.key)?.manifest.known !== undefined,
        encode: (entry, _revision, _showsApps, sees) => this.#describe(entry, sees),
        listParts: (entry) => entries.listNested(entry),
        hint: settings.cache.skills,
      },
      settings,
      visibility,
    );
  }

  async read(context: RequestContext): Promise<SerializedResult> {
    if (this.#isOutdated) await this.#prepare();
    return this.#pages.read(context);
  }

  #describe(entry: ResourceEntry, sees: (part: ResourceEntry) => boolean): Encoded {
    const skill = this.skillRegistry.find(entry.key);
    const hidden =
      skill && this.skillRegistry.listNested(skill).filter((nested) => !this.#isSeen(nested, sees));
    return skill?.describe(hidden) as unknown as Encoded;
  }

  #isSeen(skill: ServedSkill, sees: (part: ResourceEntry) => boolean): boolean {
    const entry = this.skillRegistry.findEntry(skill);
    return entry !== undefined && sees(entry);
  }

  get #isOutdated(): boolean {
    if (this.#version !== this.resources.version) return true;
    return this.#unreadable.size > 0 && performance.now() - this.#readAt > READ_AGAIN_MS;
  }

  /** Computes missing digests, including those of skills that are added in the meantime. */
  async #prepare(): Promise<void> {
    do {
      this.#version = this.resources.version;
      this.#readAt = performance.now();
      const unknown = this.skillRegistry.skills.filter(({ manifest }) => manifest.known === undefined);
      await Promise.all(unknown.map((skill) => this.#computeManifest(skill)));
    } while (this.#version !== this.resources.version);
  }

  async #computeManifest(skill: ServedSkill): Promise<void> {
    try {
      await skill.manifest.get();
      // Replacing it invalidates the pages that were built without it.
      if (this.#unreadable.delete(skill.root) && this.skillRegistry.find(skill.uri) === skill)
        this.skillRegistry.replace(skill);
    } catch (error) {
      void skill.parts.onOutdated?.();
      this.#note(skill, explainError(error));
    }
  }

  #note({ root, uri }: ServedSkill, reason: string): void {
    if (this.#unreadable.get(root) === reason) return;
    this.#unreadable.set(root, reason);
    this.#logger.error(`The skill "${uri}" is not listed, because its files cannot be read: ${reason}`);
  }
}
