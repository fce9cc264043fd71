import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A folder in which the built package is installed beside everything else, but for what is left out. */
export class InstalledPackage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-'));

  /** @param leftOut a folder of `node_modules`, such as a scope */
  constructor(leftOut: string) {
    const modules = join(this.#folder, 'node_modules');
    const own = join(modules, 'nestjs-mcp');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(this.#folder, 'package.json'), '{ "type": "module" }');
    cpSync(join(ROOT, 'package.json'), join(own, 'package.json'));
    cpSync(join(ROOT, 'dist'), join(own, 'dist'), { recursive: true });
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (name === leftOut || name.startsWith('.')) continue;
      symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
    }
  }

  /** Copies a compiled program there, and gives where it is. */
  add(program: string): string {
    const copy = join(this.#folder, basename(program));
    cpSync(program, copy);
    return copy;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
