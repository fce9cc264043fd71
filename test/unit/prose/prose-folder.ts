import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of pages and sources whose prose is checked by the program that checks our own. */
export class ProseFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-prose-'));

  constructor(files: Readonly<Record<string, string>>) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      writeFileSync(join(this.#folder, path), text);
    }
  }

  /** Checks them all. Each fault is a line: where, what, and the rule in parentheses. */
  check(): {
    readonly status: number | null;
    readonly faults: readonly string[];
  } {
    const program = join(process.cwd(), 'tools/prose/main.js');
    const { status, stderr } = spawnSync(process.execPath, [program], {
      cwd: this.#folder,
      encoding: 'utf8',
    });
    return { status, faults: stderr.split('\n').filter((line) => line !== '') };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
