import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keyboard } from '../../../../cli/line-keyboard.js';
import { runMigrate } from '../../../../cli/migrate/migrate.command.js';
import { RecordingTerminal } from '../../../support/recording-terminal.js';
import { writeFiles, type Files } from './migrate-files.js';

/** A source to migrate, and what it becomes. */
export const TOOL = `import { Tool } from '@rekog/mcp-nest';

class Shop {
  @Tool({ name: 'order', parameters: {} })
  order() {}
}
`;
export const MIGRATED = TOOL.replace('@rekog/mcp-nest', 'nestjs-mcp').replace('parameters', 'inputSchema');

/** A project with that source, in a folder that is there for one test. */
export class ShopProject {
  /** What the folder of the project is in. */
  readonly place = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrate-'));
  readonly folder = join(this.place, 'shop');
  readonly #terminal = new RecordingTerminal();

  constructor(files: Files) {
    this.write({ 'src/shop.ts': TOOL, ...files });
  }

  get printed(): readonly string[] {
    return this.#terminal.printed;
  }

  get complaints(): readonly string[] {
    return this.#terminal.complaints;
  }

  at(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  write(files: Files): void {
    writeFiles(this.folder, files);
  }

  git(...args: readonly string[]): void {
    execFileSync('git', args, { cwd: this.folder, stdio: 'pipe' });
  }

  commit(): void {
    this.git('init', '--quiet');
    this.git('add', '--all');
    this.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'all');
  }

  /** Runs "migrate" with the arguments; without a keyboard nobody can be asked. */
  migrate(args: readonly string[], keyboard?: Keyboard): Promise<number> {
    return runMigrate(args, { ...this.#terminal, keyboard }, this.folder);
  }

  end(): void {
    rmSync(this.place, { recursive: true });
  }
}
