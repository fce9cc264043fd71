import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const LIST = 'tools/prose/not-yet.json';

/** Rules with the files that need not keep them yet. */
type NotYet = Readonly<Record<string, readonly string[]>>;

/** A folder of pages and sources whose prose is checked by the program that checks our own. */
export class ProseFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-prose-'));

  constructor(files: Readonly<Record<string, string>>, notYet: NotYet = {}) {
    for (const [path, text] of Object.entries({ ...files, [LIST]: JSON.stringify(notYet) })) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      writeFileSync(join(this.#folder, path), text);
    }
  }

  /** Checks them all. Each fault is a line: where, what, and the rule in parentheses. */
  check(...options: readonly string[]): {
    readonly status: number | null;
    readonly faults: readonly string[];
  } {
    const program = join(process.cwd(), 'tools/prose/main.js');
    const { status, stderr } = spawnSync(process.execPath, [program, ...options], {
      cwd: this.#folder,
      encoding: 'utf8',
    });
    return { status, faults: stderr.split('\n').filter((line) => line !== '') };
  }

  /** Reads the list of files that need not keep a rule yet. */
  readNotYet(): NotYet {
    return JSON.parse(readFileSync(join(this.#folder, LIST), 'utf8')) as NotYet;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
