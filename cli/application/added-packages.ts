import { parseManifest } from './edit-manifest.js';
import { parseObject } from './parse-object.js';
import type { FileChange, Project } from './project-folder.js';

/** Lists the packages that changes add to an application's `package.json`. */
export function listAddedPackages(changes: readonly FileChange[], project: Project): readonly string[] {
  const changed = changes.find(({ path }) => path === 'package.json');
  if (changed === undefined) return [];
  const before = parseManifest(project.read('package.json') ?? '{}');
  const after = parseObject('package.json', changed.text);
  const named = ['dependencies', 'devDependencies'].flatMap((section) => Object.keys(after[section] ?? {}));
  return named.filter((name) => before.findRange(name) === undefined);
}
