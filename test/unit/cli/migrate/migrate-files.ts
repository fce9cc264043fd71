import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findRemainingWork } from '../../../../cli/migrate/migrate.command.js';
import { planMigration, type MigrationPlan } from '../../../../cli/migrate/plan-migration.js';
import { loadTsMorph } from '../../../../cli/migrate/source/load-ts-morph.js';

/** The sources of an application, by their paths. */
export type Files = Readonly<Record<string, string>>;

const MANIFEST = `{
  "name": "shop",
  "dependencies": {
    "@rekog/mcp-nest": "^1.9.0",
    "zod": "^4.3.0"
  }
}
`;

/** Writes files into a folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What became of an application. */
export interface Migrated extends Pick<MigrationPlan, 'notes' | 'steps'> {
  /** All files, changed or not. */
  readonly files: Files;
  /** How many places are left to a person. */
  readonly decisions: number;
}

/** Plans the migration of an application, and gives its files as they would be. */
export async function migrateFiles(given: Files): Promise<Migrated> {
  const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-migrate-'));
  const files = { 'package.json': MANIFEST, ...given };
  try {
    writeFiles(folder, files);
    const { changes, notes, steps } = planMigration(folder, await loadTsMorph());
    const changed = Object.fromEntries(changes.map(({ path, text }) => [path, text]));
    const removed = new Set(changes.filter(({ isRemoved }) => isRemoved === true).map(({ path }) => path));
    const all = Object.entries({ ...files, ...changed });
    const after = Object.fromEntries(all.filter(([path]) => !removed.has(path)));
    const texts = Object.entries(after).map(([path, text]) => ({ path, text }));
    return { files: after, notes, steps, decisions: findRemainingWork(texts).length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Migrates one file, and gives it as it would be. */
export async function migrateSource(source: string, path = 'src/app.ts'): Promise<string> {
  const { files } = await migrateFiles({ [path]: source });
  return files[path] ?? '';
}
