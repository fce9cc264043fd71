import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { runMigrate } from '../../../../cli/migrate/migrate.command.js';

interface Main {
  bootstrap(port: number): Promise<INestApplication>;
}

/** An application of the fixtures in a folder of its own, which can be migrated and started. */
export class FixtureApplication {
  private constructor(readonly folder: string) {}

  /** Copies a fixture. */
  static copy(name: string): FixtureApplication {
    const folder = mkdtempSync(join(tmpdir(), `nestjs-mcp-${name}-`));
    cpSync(join('test/e2e/cli/migrate/fixtures', name), folder, { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return new FixtureApplication(folder);
  }

  /** Migrates it, and gives what the command printed and complained of. */
  async migrate(): Promise<string> {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const exitCode = await runMigrate(
      ['--yes', '--force'],
      { environment: {}, print: write, complain: write },
      this.folder,
    );
    if (exitCode !== 0) throw new Error(lines.join('\n'));
    return lines.join('\n');
  }

  /** Starts it on a free port. */
  async start(): Promise<INestApplication> {
    const { bootstrap } = (await import(join(this.folder, 'src/main.ts'))) as Main;
    return bootstrap(0);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
