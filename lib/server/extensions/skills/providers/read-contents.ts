import { formatFrontmatter } from '../../../../core/skills/format-frontmatter.js';
import { SKILL_FILE, type SkillFrontmatter } from '../../../../core/skills/skill.js';
import type { SkillContents } from '../../../settings/extensions/skills-options.js';
import { assertSkillSize } from '../assert-skill-size.js';
import { SkillError } from '../skill.error.js';
import { comparePaths } from '../skill-manifest.js';

/** The files of a skill by their paths, `SKILL.md` first. */
export type Contents = ReadonlyMap<string, Uint8Array>;

/** A path that stays in the skill, as manifests and folders have it. */
const PATH = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\\0]+$/;

/**
 * Makes files of what a provider gave.
 *
 * @throws {SkillError} if it gave something else, or more than hosts take
 */
export async function readContents(
  place: string,
  frontmatter: SkillFrontmatter,
  given: unknown,
): Promise<Contents> {
  const { instructions, files = {} } =
    typeof given === 'string' ? { instructions: given } : assertContents(place, given);
  if (/^\uFEFF?---[ \t]*\r?\n/.test(instructions)) {
    throw new SkillError(
      place,
      'its instructions begin with frontmatter, which comes from the options: give only the text after it, or serve the folder by "directory"',
    );
  }
  const contents = new Map<string, Uint8Array>();
  contents.set(SKILL_FILE, Buffer.from(`${await formatFrontmatter(frontmatter)}\n${instructions}`));
  for (const path of Object.keys(files).toSorted(comparePaths)) {
    contents.set(path, readFile(place, path, files[path]));
  }
  const sizes = [...contents.values()].map(({ byteLength }) => byteLength);
  assertSkillSize(place, sizes);
  return contents;
}

function assertContents(place: string, given: unknown): SkillContents {
  const { instructions, files = {} } = (given ?? {}) as {
    readonly instructions?: unknown;
    readonly files?: unknown;
  };
  if (typeof instructions !== 'string' || typeof files !== 'object' || files === null) {
    const explanation =
      'it must give its instructions as a text, or { instructions, files } with files by their paths';
    throw new SkillError(place, explanation);
  }
  return given as SkillContents;
}

function readFile(place: string, path: string, content: unknown): Uint8Array {
  if (!PATH.test(path)) {
    throw new SkillError(place, `its file ${JSON.stringify(path)} needs a path such as "references/fees.md"`);
  }
  if (path === SKILL_FILE) {
    throw new SkillError(
      place,
      `its ${SKILL_FILE} is made of the options and the instructions: take the file away`,
    );
  }
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return content;
  throw new SkillError(place, `its file "${path}" must be a text or bytes`);
}
