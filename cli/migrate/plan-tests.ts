import { join, posix, relative, resolve, sep } from 'node:path';
import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, parseManifest } from '../application/edit-manifest.js';
import { explainJest, planJest } from '../application/plan-jest.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { MigrationChange } from './migration-change.js';
import type { FoundManifest } from './plan-manifest.js';
import { markText, readTextFile } from './source/read-text-file.js';

/** What makes the application's tests load this package. */
export interface PlannedTests {
  /** The text of `package.json`. */
  readonly text: string;
  /** Other files with settings of Jest. */
  readonly changes: readonly MigrationChange[];
  readonly notes: readonly string[];
}

/** Sets up Jest as `init` does. Scripts of the manifest name settings by paths from its folder. */
export function planTests(
  { place }: FoundManifest,
  folder: string,
  text: string,
  isMigrated: boolean,
): PlannedTests {
  if (!isMigrated) return { text, changes: [], notes: [] };
  const inside = relative(place, resolve(folder)).split(sep).join('/');
  const jest = planJest(new ProjectFolder(place), {
    manifest: text,
    facts: parseManifest(text),
    folder: posix.join(inside, 'src'),
  });
  const changes = jest.changes.flatMap(({ path, text: after }): readonly MigrationChange[] => {
    const own = relative(resolve(folder), join(place, path)).split(sep).join('/');
    const before = readTextFile(folder, own);
    if (before === undefined || 'why' in before) return [];
    return [{ path: own, text: markText(before, after), isCreated: false, before }];
  });
  return {
    text: jest.needsCompilers
      ? editManifest(jest.manifest, { devDependencies: JEST_COMPILERS })
      : jest.manifest,
    changes,
    notes: jest.byHand.map(explainJest),
  };
}
