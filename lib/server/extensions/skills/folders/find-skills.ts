import { isUtf8 } from 'node:buffer';
import { assertSkillFrontmatter, parseFrontmatter } from '../../../../core/skills/frontmatter.js';
import {
  SKILL_FILE,
  SKILL_LIMITS,
  SkillFormatError,
  type SkillFrontmatter,
} from '../../../../core/skills/skill.js';
import { assertSkillSize, SkillError } from '../skill.error.js';
import { comparePaths } from '../skill-manifest.js';
import { readFile, type FoundFile, type FoundTree } from './read-folder.js';

/** A skill found in a folder. */
export interface FoundSkill {
  /** The path of its folder below the scanned one; empty for that folder itself. */
  readonly path: string;
  readonly frontmatter: SkillFrontmatter;
  /** Its files by path, `SKILL.md` first. */
  readonly files: ReadonlyMap<string, FoundFile>;
  /** The paths of the folders in it. */
  readonly folders: ReadonlySet<string>;
}

/** The result for a folder with a `SKILL.md`: the skill, or the reason it cannot be served. */
export type SkillFinding = { readonly path: string } & (
  { readonly skill: FoundSkill } | { readonly problem: SkillError }
);

/** The location of a skill folder. */
export interface SkillsFolder {
  /** The path as configured, for error messages. */
  readonly given: string;
  /** The name of the folder, and of its skill if it contains a `SKILL.md`. */
  readonly name: string;
}

/** Finds the skills in a folder: each folder with a `SKILL.md`, including everything below it. */
export async function findSkills(tree: FoundTree, folder: SkillsFolder): Promise<readonly SkillFinding[]> {
  const findings: SkillFinding[] = [];
  for (const path of tree.folders.keys()) {
    if (!tree.files.has(join(path, SKILL_FILE))) continue;
    findings.push(await findSkill(path, tree, folder));
  }
  return findings;
}

async function findSkill(
  path: string,
  tree: FoundTree,
  { given, name }: SkillsFolder,
): Promise<SkillFinding> {
  const place = join(given, path);
  const files = selectBelow(path, tree.files);
  try {
    const sizes = [...files.values()].map(({ size }) => size);
    assertSkillSize(place, sizes);
    const frontmatter = await readFrontmatter(place, files.get(SKILL_FILE) as FoundFile);
    const own = path === '' ? name : path.slice(path.lastIndexOf('/') + 1);
    if (frontmatter.name !== own) {
      throw new SkillError(place, `its "name" must match its folder "${own}", but is "${frontmatter.name}"`);
    }
    const folders = new Set(selectBelow(path, tree.folders).keys());
    return { path, skill: { path, frontmatter, files, folders } };
  } catch (error) {
    if (error instanceof SkillError) return { path, problem: error };
    throw error;
  }
}

async function readFrontmatter(place: string, { location }: FoundFile): Promise<SkillFrontmatter> {
  const bytes = await readFile(location, SKILL_LIMITS.bytes);
  if (bytes === undefined) throw new SkillError(place, `its ${SKILL_FILE} no longer exists`);
  if (!isUtf8(bytes)) throw new SkillError(place, `its ${SKILL_FILE} must be UTF-8 text`);
  try {
    const frontmatter = await parseFrontmatter(Buffer.from(bytes).toString());
    assertSkillFrontmatter(frontmatter);
    return frontmatter;
  } catch (error) {
    if (error instanceof SkillFormatError) throw new SkillError(place, error.message, { cause: error });
    throw error;
  }
}

/** Selects the entries below a path, keyed by relative path, in manifest order. */
function selectBelow<Found>(path: string, found: ReadonlyMap<string, Found>): ReadonlyMap<string, Found> {
  const start = path === '' ? '' : `${path}/`;
  const below = [...found].filter(([one]) => one !== path && one.startsWith(start));
  return new Map(
    below
      .map(([one, what]) => [one.slice(start.length), what] as const)
      .toSorted(([one], [other]) => comparePaths(one, other)),
  );
}

function join(path: string, name: string): string {
  if (path === '' || name === '') return path + name;
  return `${path}/${name}`;
}
