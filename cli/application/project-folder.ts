import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A file to write. */
export interface FileChange {
  readonly path: string;
  readonly text: string;
  /** Whether the file is new. */
  readonly isCreated: boolean;
}

/** The changes to an application, and instructions for the rest. */
export interface Plan {
  readonly changes: readonly FileChange[];
  /** Instructions for the developer. */
  readonly notes: readonly string[];
}

/** A read-only view of an application. */
export type Project = Pick<ProjectFolder, 'read' | 'findVersion'>;

/** An application's files in a folder. Paths are relative to the folder. */
export class ProjectFolder {
  constructor(private readonly root: string) {}

  /** Reads a file. Returns `undefined` if it does not exist. */
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

  /**
   * Finds the version of an installed package. Returns `undefined` if it is not installed. Workspace packages may be
   * installed in a parent folder.
   */
  findVersion(name: string): string | undefined {
    for (let folder = resolve(this.root); ; folder = dirname(folder)) {
      const manifest = this.read(join(folder, 'node_modules', name, 'package.json'));
      if (manifest !== undefined) return parseVersion(manifest);
      if (folder === dirname(folder)) return undefined;
    }
  }

  /** Writes changes. */
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
