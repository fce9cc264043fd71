import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../house/layer-table.js';

/** Calls a function of a module with arguments as JSON, and prints what it gives. */
const CALL = `
  const [module, name, args] = process.argv.slice(1);
  const exports = await import(module);
  console.log(JSON.stringify(await exports[name](...JSON.parse(args)) ?? null));
`;

/** A package with an index, a README and pages, to which the tools of the site are applied. */
export class SiteFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'nestjs-mcp-site-'));

  constructor(files: Readonly<Record<string, string | object>>) {
    for (const [name, content] of Object.entries(files)) {
      const file = join(this.path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    }
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /**
   * Calls a function of `tools/site`, as the program does that makes the site.
   *
   * @throws {Error} if it throws, with what it says
   */
  call(module: string, name: string, ...args: readonly unknown[]): unknown {
    const file = join(ROOT, 'tools/site', module);
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', CALL, file, name, JSON.stringify(args)],
      { cwd: this.path, encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(/^Error: ([\s\S]*?)\n {4}at /m.exec(stderr)?.[1] ?? stderr);
    return JSON.parse(stdout) as unknown;
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}

/** What every package has of which a site is made. */
export const PACKAGE = {
  'package.json': {
    name: 'books',
    description: 'Lends books',
    repository: { type: 'git', url: 'git+https://git.example.com/books.git' },
  },
  'README.md': '# books\n\nA library. See [all pages](docs/README.md).\n',
} as const;
