import { SKILL_LIMITS } from '../../../../core/skills/skill.js';
import type { SkillFiles } from '../skill-files.interface.js';
import type { FoundSkill } from './find-skills.js';
import { readFile } from './read-file.js';

/** The files of a skill in a folder, as they were found: they are read when they are asked for. */
export class FolderFiles implements SkillFiles {
  readonly isDynamic = false;

  constructor(private readonly skill: FoundSkill) {}

  get folders(): ReadonlySet<string> {
    return this.skill.folders;
  }

  has(path: string): boolean {
    return this.skill.files.has(path);
  }

  list(): readonly string[] {
    return [...this.skill.files.keys()];
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    const file = this.skill.files.get(path);
    return file && readFile(file.location, SKILL_LIMITS.bytes);
  }

  /** Tells whether these are the same files as others, unchanged. */
  equals(other: FolderFiles): boolean {
    return this.#format() === other.#format();
  }

  /** Tells whether a file is the same as in others. */
  keeps(path: string, other: FolderFiles): boolean {
    return this.skill.files.get(path)?.stamp === other.skill.files.get(path)?.stamp;
  }

  #format(): string {
    const files = [...this.skill.files].map(([path, { stamp }]) => [path, stamp]);
    return JSON.stringify([files, [...this.skill.folders], this.skill.frontmatter]);
  }
}
