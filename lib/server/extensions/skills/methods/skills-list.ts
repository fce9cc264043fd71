import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Encoded } from '../../../../core/protocol/encoding/encode-definition.js';
import type { SerializedResult } from '../../../../core/protocol/outbound-message.js';
import type { ResourceEntry } from '../../../catalogue/entries.js';
import { ResourceRegistry } from '../../../catalogue/registries.js';
import { Visibility } from '../../../catalogue/visibility/visibility.js';
import type { RequestContext } from '../../../context/request-context.js';
import { ListPages } from '../../../methods/lists/list-pages.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { ServedSkill } from '../served-skill.js';
import { SkillShelf } from '../skill-shelf.js';

/** Lists the skills, each with its files and their digests (MCP extension skills, "Listing Skills"). */
@Injectable()
export class SkillsList {
  readonly #logger = new Logger('McpSkills');
  readonly #pages: ListPages<ResourceEntry>;
  /** Skills whose files could not be read when they were listed last. */
  readonly #unread = new Set<string>();
  #version = -1;

  constructor(
    private readonly shelf: SkillShelf,
    private readonly resources: ResourceRegistry,
    @Inject(SERVER_SETTINGS) settings: ServerSettings,
    visibility: Visibility,
  ) {
    this.#pages = new ListPages(
      {
        registry: resources,
        list: 'skills',
        has: (entry) => shelf.has(entry) && shelf.find(entry.key)?.describe() !== undefined,
        encode: (entry) => shelf.find(entry.key)?.describe() as unknown as Encoded,
        hint: settings.cache.skills,
      },
      settings,
      visibility,
    );
  }

  async read(context: RequestContext): Promise<SerializedResult> {
    if (this.#version !== this.resources.version || this.#unread.size > 0) await this.#prepare();
    return this.#pages.read(context);
  }

  /** Digests are computed when somebody first wants them. */
  async #prepare(): Promise<void> {
    const { version } = this.resources;
    const unknown = this.shelf.skills.filter(({ manifest }) => manifest.known === undefined);
    await Promise.all(unknown.map((skill) => this.#learn(skill)));
    this.#version = version;
  }

  async #learn(skill: ServedSkill): Promise<void> {
    try {
      await skill.manifest.get();
      // Pages that were made without it are not kept any longer.
      if (this.#unread.delete(skill.root) && this.shelf.find(skill.uri) === skill) this.shelf.replace(skill);
    } catch (error) {
      this.#unread.add(skill.root);
      void skill.parts.onStale?.();
      const reason = error instanceof Error ? error.message : String(error);
      this.#logger.error(
        `The skill "${skill.uri}" is not listed, because its files cannot be read: ${reason}`,
      );
    }
  }
}
