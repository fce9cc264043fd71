import { Inject, Injectable } from '@nestjs/common';
import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { CursorError } from '../../../../core/protocol/cursor.error.js';
import { formatCursor, parseCursor } from '../../../../core/protocol/cursor.js';
import type { ResourceDefinition } from '../../../../core/protocol/definitions.js';
import { encodeResource } from '../../../../core/protocol/encoding/encode-definition.js';
import { encodeCacheHint } from '../../../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import type { CacheHint } from '../../../../core/protocol/results.js';
import { ResourceRegistry } from '../../../catalogue/registries.js';
import { Visibility } from '../../../catalogue/visibility/visibility.js';
import type { RequestContext } from '../../../context/request-context.js';
import type { ExtensionContext, ExtensionMethod } from '../../../dispatch/extension.interface.js';
import { ListVisibility } from '../../../methods/lists/list-visibility.js';
import { parseResourceUri } from '../../../methods/parse-resource-uri.js';
import { SERVER_SETTINGS } from '../../../settings/mcp.constants.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { ServedSkill } from '../served-skill.js';
import { SkillShelf } from '../skill-shelf.js';
import { listChildren, listOnWay } from './list-children.js';
import { SkillsList } from './skills-list.js';

/** What the server makes of a request of an extension's method: these methods are the server's own. */
type Context = ExtensionContext & RequestContext;

/** The methods by which clients come to skills (MCP extension skills). */
@Injectable()
export class SkillsMethods {
  readonly #scopes: ListVisibility<NonNullable<ReturnType<SkillShelf['findEntry']>>>;

  constructor(
    private readonly shelf: SkillShelf,
    private readonly list: SkillsList,
    private readonly resources: ResourceRegistry,
    private readonly visibility: Visibility,
    @Inject(SERVER_SETTINGS) private readonly settings: ServerSettings,
  ) {
    this.#scopes = new ListVisibility(resources, settings.auth?.filterLists === true);
  }

  /** The extension has no declaration of clients, so it is open to all. */
  build(): readonly ExtensionMethod[] {
    return [
      {
        method: 'skills/list',
        isGated: false,
        // The pages are kept as they are sent.
        handle: (context) => this.list.read(context as Context) as Promise<never>,
      },
      { method: 'skills/get', isGated: false, handle: (context) => this.#get(context as Context) },
      {
        method: 'resources/directory/read',
        isGated: false,
        handle: (context) => this.#readDirectory(context as Context),
      },
    ];
  }

  async #get(context: Context): Promise<OpenObject> {
    const uri = parseResourceUri(context);
    const skill = this.#find(uri, context);
    const isKnown = await skill.manifest.get().then(
      () => true,
      () => false,
    );
    // Files that cannot be read may be gone, and what is there now is another skill.
    if (!isKnown) await skill.parts.onStale?.();
    const current = isKnown ? skill : this.#find(uri, context);
    const resources = await current.manifest.get();
    return {
      skill: { uri, frontmatter: current.parts.frontmatter, resources },
      ...encodeCacheHint(this.#findHint(current), context.revision),
    };
  }

  #find(uri: string, context: Context): ServedSkill {
    const skill = this.#select(this.shelf.find(uri), context);
    if (skill === undefined) throw McpError.invalidParams(`No skill is served at "${uri}"`);
    return skill;
  }

  async #readDirectory(context: Context): Promise<OpenObject> {
    const uri = parseResourceUri(context);
    const after = parseAfter(context.params['cursor']);
    const skill = this.#select(this.shelf.findAround(uri), context);
    const children =
      skill === undefined
        ? listOnWay(uri, await this.#listSeen(context))
        : await listChildren(skill, uri, {
            context,
            describe: (own) => this.shelf.find(own) && this.resources.find(own)?.definition,
          });
    if (children === undefined) throw McpError.invalidParams(`"${uri}" is no folder of resources`);
    return this.#buildPage(children, after, context);
  }

  #buildPage(children: readonly ResourceDefinition[], after: number, { revision }: Context): OpenObject {
    const end = after + this.settings.pageSize;
    return {
      resources: children.slice(after, end).map((child) => encodeResource(child, revision)),
      ...(end < children.length && { nextCursor: formatCursor('children', end) }),
    };
  }

  /** What is hidden from a caller is answered as what does not exist. */
  #select(skill: ServedSkill | undefined, { hidden }: Context): ServedSkill | undefined {
    const entry = skill && this.shelf.findEntry(skill);
    return entry === undefined || hidden?.has(entry) === true ? undefined : skill;
  }

  /** Lists the folders of the skills that a caller is shown. */
  async #listSeen(context: Context): Promise<readonly string[]> {
    const { shows } = this.#scopes.find(context.auth);
    const skills = this.shelf.skills.flatMap((skill) => {
      const entry = this.shelf.findEntry(skill);
      return entry === undefined || shows?.(entry) === false ? [] : [{ root: skill.root, entry }];
    });
    const entries = skills.map(({ entry }) => entry);
    if (!this.visibility.isConditional(entries)) return skills.map(({ root }) => root);
    const seen = await this.visibility.select(entries, Infinity, context);
    return skills.filter(({ entry }) => seen.has(entry)).map(({ root }) => root);
  }

  /** What is not for everybody is kept for its caller alone. */
  #findHint(skill: ServedSkill): CacheHint {
    const hint = this.settings.cache.skills;
    const entry = this.shelf.findEntry(skill);
    const isConditional = entry !== undefined && this.visibility.isConditional([entry]);
    return isConditional || this.settings.auth?.filterLists === true ? { ...hint, scope: 'private' } : hint;
  }
}

function parseAfter(cursor: unknown): number {
  if (cursor === undefined) return 0;
  try {
    return parseCursor('children', cursor);
  } catch (error) {
    if (error instanceof CursorError) throw McpError.invalidParams(error.message);
    throw error;
  }
}
