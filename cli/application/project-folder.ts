import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { FileChange, Project } from './project.interface.js';

/** The files of an application in a folder. */
export class ProjectFolder implements Project {
  constructor(private readonly root: string) {}

  read(path: string): string | undefined {
    const file = resolve(this.root, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  list(folder: string): { readonly files: readonly string[]; readonly folders: readonly string[] } {
    const path = resolve(this.root, folder);
    const entries = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
    return {
      files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
      folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    };
  }

  /** Packages of a workspace may be installed in a folder above. */
  findVersion(name: string): string | undefined {
    for (let folder = resolve(this.root); ; folder = dirname(folder)) {
      const manifest = this.read(join(folder, 'node_modules', name, 'package.json'));
      if (manifest !== undefined) return parseVersion(manifest);
      if (folder === dirname(folder)) return undefined;
    }
  }

  /** Writes what was changed. */
  write(changes: readonly FileChange[]): void {
    for (const { path, text } of changes) {
      const file = resolve(this.root, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** The manifest of an installed package may be invalid. */
function parseVersion(manifest: string): string | undefined {
  return /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
}
