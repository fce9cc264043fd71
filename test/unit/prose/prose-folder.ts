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

  /**
   * Checks them all. Each fault is a line: where, what, and the rule in parentheses.
   *
   * @param shown counted patterns whose places are printed
   */
  check(shown: readonly string[] = []): {
    readonly status: number | null;
    readonly faults: readonly string[];
    readonly printed: readonly string[];
  } {
    const program = join(process.cwd(), 'tools/prose/main.js');
    const given = shown.flatMap((rule) => ['--show', rule]);
    const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...given], {
      cwd: this.#folder,
      encoding: 'utf8',
    });
    return { status, faults: readLines(stderr), printed: readLines(stdout) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

function readLines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}
