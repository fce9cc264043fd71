import type { ResourceDefinition } from '../../../../core/protocol/definitions.js';
import { DIRECTORY_TYPE, SKILL_FILE } from '../../../../core/skills/skill.js';
import { encodePath } from '../../../../core/skills/skill-uri.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import { findMediaType } from '../media-types.js';
import type { ServedSkill } from '../served-skill.js';

/** The caller that lists a folder, and the facts that the files do not show. */
export interface Asking {
  readonly context: McpContext;
  /** Skills in the skill that do not exist for the caller. */
  readonly hidden: readonly ServedSkill[];
  /** Gives what `resources/list` says of a `SKILL.md`. */
  readonly describe: (uri: string) => ResourceDefinition | undefined;
}

/** Lists the direct contents of a skill's folder. Returns `undefined` if the folder does not exist. */
export async function listChildren(
  skill: ServedSkill,
  uri: string,
  { context, hidden, describe }: Asking,
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

/** Lists the subfolders of a folder that leads to skills and is not one itself. Returns `undefined` if it leads to no skill. */
export function listOnWay(uri: string, roots: readonly string[]): readonly ResourceDefinition[] | undefined {
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

/** Finds the folder directly below a place on the way to a path. */
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
