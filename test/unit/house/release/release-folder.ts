import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../layer-table.js';

/** A folder with files, in which the tools of a release run as they do in the root of the package. */
export class ReleaseFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'nestjs-mcp-release-'));

  constructor(files: Readonly<Record<string, string | object>>) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | object): void {
    const file = join(this.path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Runs a tool of `tools/release` to its end. */
  async run(tool: string, args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
    const child = spawn(process.execPath, [join(ROOT, 'tools/release', tool), ...args], {
      cwd: this.path,
      env: { ...process.env, GITHUB_ACTIONS: '', npm_config_dry_run: '', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code: child.exitCode, stdout, stderr };
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
