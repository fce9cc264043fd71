import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from './layer-table.js';

interface Diagnostic {
  code: string;
  message: string;
  filename: string;
}

/** Lints files that exist for the length of the call only, under the project's own configuration. */
export function lint(files: Record<string, string>): Diagnostic[] {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-lint-'));
  try {
    cpSync(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    for (const path of ['tools/lint', 'docs/glossary.md'])
      cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return run(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(cwd: string): Diagnostic[] {
  const { stdout, stderr, error } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--format', 'json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error !== undefined || !stdout.startsWith('{'))
    throw new Error(`oxlint did not run\n${stdout}${stderr}`);
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}
