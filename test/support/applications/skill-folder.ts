import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The frontmatter of a skill, as a `SKILL.md` begins. */
export function describeSkill(name: string, description = `What ${name} is for`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`;
}

/** A folder of files that a test makes, changes and removes. */
export class SkillFolder {
  readonly path: string;
  readonly #outer = realpathSync(mkdtempSync(join(tmpdir(), 'skills-')));

  /** @param files what is in it, by their paths */
  constructor(files: { readonly [path: string]: string | Uint8Array } = {}, name = 'skills') {
    this.path = join(this.#outer, name);
    mkdirSync(this.path);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
  }

  /** A place beside the folder, which nothing in it may lead to. */
  get outside(): string {
    return this.#outer;
  }

  at(path: string): string {
    return join(this.path, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  removeFile(path: string): void {
    rmSync(this.at(path), { recursive: true });
  }

  remove(): void {
    rmSync(this.#outer, { recursive: true, force: true });
  }
}
