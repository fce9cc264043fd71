import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { formatCursor } from '../../../../core/protocol/cursor.js';
import type { ResourceDefinition } from '../../../../core/protocol/definitions.js';
import { encodeResource } from '../../../../core/protocol/encoding/encode-definition.js';
import { encodeCacheHint } from '../../../../core/protocol/encoding/encode-result.js';
import { McpError } from '../../../../core/protocol/mcp.error.js';
import { normalizeUri } from '../../../../core/protocol/normalize-uri.js';
import { DIRECTORY_TYPE, encodePath, SKILL_FILE } from '../../../../core/skills/skill.js';
import type { ResourceRegistry } from '../../../catalog/registries.js';
import type { RequestContext } from '../../../context/request-context.js';
import type { ExtensionContext, ExtensionMethod } from '../../../dispatch/extension.interface.js';
import type { HandlerLimits } from '../../../limits/handler-limits.js';
import { parseAfter } from '../../../methods/lists/list-pages.js';
import { parseResourceUri } from '../../../methods/session.methods.js';
import type { ServerSettings } from '../../../settings/server-settings.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import type { ServedSkill } from '../served-skill.js';
import type { SkillEntries, SkillRegistry } from '../skill-registry.js';
import { findMediaType } from '../media-types.js';
import type { SkillsList } from './skills-list.js';

/** The full request context, which is available because these methods are part of the server. */
type Context = ExtensionContext & RequestContext;

/** The methods that list and read skills (MCP extension skills). */
export class SkillsMethods {
  constructor(
    private readonly skillRegistry: SkillRegistry,
    private readonly list: SkillsList,
    private readonly entries: SkillEntries,
    private readonly resources: ResourceRegistry,
    private readonly limits: HandlerLimits,
    private readonly settings: ServerSettings,
  ) {}

  /** Clients do not declare the extension, so the methods are open to all. */
  build(): readonly ExtensionMethod[] {
    return [
      {
        method: 'skills/list',
        requiresDeclaration: false,
        // The pages are cached in serialized form.
        handle: (context) => this.list.read(context as Context) as Promise<never>,
      },
      {
        method: 'skills/get',
        requiresDeclaration: false,
        handle: (context) => this.#get(context as Context),
      },
      {
        method: 'resources/directory/read',
        requiresDeclaration: false,
        handle: (context) => this.#readDirectory(context as Context),
      },
    ];
  }

  async #get(context: Context): Promise<OpenObject> {
    const uri = normalizeUri(parseResourceUri(context));
    const found = this.#find(uri, context);
    const isKnown = await found.manifest.get().then(
      () => true,
      () => false,
    );
    // Unreadable files may have been replaced, so the folder is rescanned.
    if (!isKnown) await found.parts.onOutdated?.();
    const current = isKnown ? found : this.#find(uri, context);
    await current.manifest.get();
    const skill = current.describe(await this.#listHidden(current, context));
    return { skill, ...encodeCacheHint(this.entries.hint, context.revision) };
  }

  #find(uri: string, context: Context): ServedSkill {
    const skill = this.#select(this.skillRegistry.find(uri), context);
    if (skill === undefined) throw McpError.invalidParams(`No skill is served at "${uri}"`);
    return skill;
  }

  async #readDirectory(context: Context): Promise<OpenObject> {
    const uri = normalizeUri(parseResourceUri(context));
    const after = parseAfter('children', context.params['cursor']);
    const skill = this.#select(this.skillRegistry.findContaining(uri), context);
    const children =
      skill === undefined
        ? listAncestorFolder(
            uri,
            [...(await this.entries.select(this.skillRegistry.skills, context))].map(({ root }) => root),
          )
        : await this.#listChildren(skill, uri, context);
    if (children === undefined) throw McpError.invalidParams(`"${uri}" is not a folder of resources`);
    return this.#buildPage(children, after, context);
  }

  /** A dynamic skill is generated for the list, so its handler's limits apply. */
  async #listChildren(
    skill: ServedSkill,
    uri: string,
    context: Context,
  ): Promise<readonly ResourceDefinition[] | undefined> {
    const entry = this.skillRegistry.findEntry(skill);
    if (entry === undefined) return undefined;
    if (this.limits.isCounting) await this.limits.admit('resource', entry, { args: { uri }, context });
    const hidden = await this.#listHidden(skill, context);
    const describe = (own: string) => this.skillRegistry.find(own) && this.resources.find(own)?.definition;
    return this.limits.run(entry, context, () => listChildren(skill, uri, { context, hidden, describe }));
  }

  /** Lists the nested skills that are hidden from the caller. */
  async #listHidden(skill: ServedSkill, context: Context): Promise<readonly ServedSkill[]> {
    const nested = this.skillRegistry.listNested(skill);
    if (nested.length === 0) return nested;
    const seen = await this.entries.select(nested, context);
    return nested.filter((one) => !seen.has(one));
  }

  #buildPage(children: readonly ResourceDefinition[], after: number, { revision }: Context): OpenObject {
    const end = after + this.settings.pageSize;
    return {
      resources: children.slice(after, end).map((child) => encodeResource(child, revision)),
      ...(end < children.length && { nextCursor: formatCursor('children', end) }),
    };
  }

  /** Treats a hidden skill as missing. */
  #select(skill: ServedSkill | undefined, { hidden }: Context): ServedSkill | undefined {
    const entry = skill && this.skillRegistry.findEntry(skill);
    return entry === undefined || hidden?.has(entry) === true ? undefined : skill;
  }
}

/** A request to list a folder. */
interface DirectoryRequest {
  readonly context: McpContext;
  /** Nested skills that are hidden from the caller. */
  readonly hidden: readonly ServedSkill[];
  /** Returns the definition of a `SKILL.md` in `resources/list`. */
  readonly describe: (uri: string) => ResourceDefinition | undefined;
}

/** Lists the direct children of a skill's folder. Returns `undefined` if the folder does not exist. */
async function listChildren(
  skill: ServedSkill,
  uri: string,
  { context, hidden, describe }: DirectoryRequest,
): Promise<readonly ResourceDefinition[] | undefined> {
  const folder = skill.findPath(uri);
  if (folder === undefined) return undefined;
  const { files } = skill.parts;
  const start = folder === '' ? '' : `${folder}/`;
  const isShown = (path: string): boolean =>
    hidden.every((nested) => !nested.contains(`${skill.root}/${encodePath(path)}`));
  const paths = (await files.list(context)).filter(isShown);
  const folders = [...[...(files.folders ?? [])].filter(isShown), ...paths.map(dropName)];
  const isThere = folder === '' || folders.some((one) => one === folder || one.startsWith(start));
  if (!isThere) return undefined;
  const children = new Map<string, ResourceDefinition>();
  for (const path of folders) {
    const name = findChild(path, start);
    if (name !== undefined) children.set(name, describeFolder(`${uri}/${encodePath(name)}`, name));
  }
  for (const path of paths) {
    const name = path.slice(start.length);
    if (!path.startsWith(start) || name.includes('/')) continue;
    const own = `${uri}/${encodePath(name)}`;
    const listed = name === SKILL_FILE ? describe(own) : undefined;
    children.set(name, listed ?? describeFile(own, name));
  }
  return sortByName(children);
}

/** Lists the subfolders of a folder that contains skills. Returns `undefined` if there are no skills below it. */
function listAncestorFolder(
  uri: string,
  roots: readonly string[],
): readonly ResourceDefinition[] | undefined {
  if (!/^skill:\/\/[^/]/.test(uri)) return undefined;
  const start = `${uri}/`;
  const below = roots.filter((root) => root.startsWith(start));
  if (below.length === 0) return undefined;
  const names = below.map((root) => root.slice(start.length).split('/')[0] as string);
  return sortByName(new Map(names.map((name) => [name, describeFolder(`${start}${name}`, name)])));
}

function describeFile(uri: string, name: string): ResourceDefinition {
  const mimeType = findMediaType(name);
  return { uri, name, ...(mimeType !== undefined && { mimeType }) };
}

function describeFolder(uri: string, name: string): ResourceDefinition {
  return { uri, name, mimeType: DIRECTORY_TYPE };
}

/** Finds a path's first segment below a base path. */
function findChild(path: string, start: string): string | undefined {
  if (!path.startsWith(start)) return undefined;
  const [name = ''] = path.slice(start.length).split('/');
  return name === '' ? undefined : name;
}

function dropName(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function sortByName(children: ReadonlyMap<string, ResourceDefinition>): readonly ResourceDefinition[] {
  return [...children].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, child]) => child);
}
