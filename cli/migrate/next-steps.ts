import { posix } from 'node:path';
import { readCliSettings } from '../application/cli-settings.js';
import { parseManifest } from '../application/edit-manifest.js';
import type { Step } from '../application/format-steps.js';
import { ProjectFolder } from '../application/project-folder.js';
import type { FileChange, Project } from '../application/project.interface.js';
import { buildRunArguments, findPackageManager } from '../dev/package-manager.js';
import { readStart } from '../init/application-start.js';
import { findEndpoint, findStartScript } from '../init/find-endpoint.js';
import { findServerFile } from '../init/find-server-file.js';
import type { PlannedManifest } from './plan-manifest.js';

/** What is known after a migration is planned. */
export interface MigratedApplication extends Pick<PlannedManifest, 'unused' | 'needsZod'> {
  readonly folder: string;
  readonly changes: readonly FileChange[];
  /** The text of `package.json`. */
  readonly manifest: string;
}

/** What is run to check an application, in the order in which problems are found. */
const CHECKS = ['build', 'test', 'test:e2e'];

/** Says exactly what to run after the migration. */
export function planNextSteps({
  folder,
  changes,
  manifest,
  unused,
  needsZod,
}: MigratedApplication): readonly Step[] {
  const project = overlay(new ProjectFolder(folder), changes);
  const facts = parseManifest(manifest);
  const manager = findPackageManager(project);
  const [add, remove] = manager === 'npm' ? ['install', 'uninstall'] : ['add', 'remove'];
  const run = (name: string) =>
    name === 'test' ? `${manager} test` : `${manager} ${buildRunArguments(manager, name, []).join(' ')}`;
  const starting = findStartScript(facts);
  const endpoint = findOwnEndpoint(project, changes);
  return [
    ...(needsZod ? ([[`${manager} ${add} zod@^4.2.0`, 'older schemas have no JSON Schema']] as const) : []),
    [`${manager} install`],
    ...(unused.length > 0
      ? ([
          [`${manager} ${remove} ${unused.join(' ')}`, 'if nothing else needs them: no source does'],
        ] as const)
      : []),
    ...CHECKS.filter((script) => Object.hasOwn(facts.scripts, script)).map((script): Step => [run(script)]),
    ...(endpoint === undefined || !Object.hasOwn(facts.scripts, starting)
      ? []
      : ([[run(starting), 'and in another terminal:'], [`npx nestjs-mcp-cli doctor ${endpoint}`]] as const)),
  ];
}

/** Reads an application as it is going to be. */
function overlay(project: Project, changes: readonly FileChange[]): Project {
  const changed = new Map(changes.map(({ path, text }) => [path, text]));
  return {
    read: (path) => changed.get(posix.normalize(path)) ?? project.read(path),
    findVersion: (name) => project.findVersion(name),
  };
}

/** Nothing is at a URL if standard input and output are all that is served. */
function findOwnEndpoint(project: Project, changes: readonly FileChange[]): string | undefined {
  const isPiped = changes.some(({ text }) => text.includes('McpStdio.run('));
  const isListening = changes.some(({ text }) => text.includes('.listen('));
  const { sourceRoot } = readCliSettings(project);
  const start = readStart(project, sourceRoot);
  const isStarted = project.read(start.path)?.includes('.listen(') === true;
  if (isPiped && !isListening && !isStarted) return undefined;
  try {
    const root = posix.join(sourceRoot, 'app.module.ts');
    const endpoint = findEndpoint(project, root, start);
    if (findServerFile(project, root) !== undefined) return endpoint;
    // The server may stand in a file that only the start imports.
    const path = changes.map(({ text }) => /\bmcpPath: (["'])(\/[^"']*)\1/.exec(text)?.[2]).find(Boolean);
    return path === undefined ? endpoint : new URL(path, endpoint).href;
  } catch {
    // Something of the other package is left.
    return undefined;
  }
}
