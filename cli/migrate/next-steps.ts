import { posix } from 'node:path';
import { readCliSettings } from '../application/cli-settings.js';
import { parseManifest } from '../application/edit-manifest.js';
import type { Step } from '../application/format-steps.js';
import { type FileChange, type Project, ProjectFolder } from '../application/project-folder.js';
import { buildRunArguments, findPackageManager } from '../dev/package-manager.js';
import { readStart } from '../init/application-start.js';
import { findEndpoint, findStartScript } from '../init/find-endpoint.js';
import { findServerFile } from '../init/find-server-file.js';
import type { PlannedManifest } from './plan-manifest.js';

/** The facts about a planned migration. */
export interface MigratedApplication extends Pick<PlannedManifest, 'unused' | 'needsZod'> {
  readonly folder: string;
  readonly changes: readonly FileChange[];
  /** The content of `package.json`. */
  readonly manifest: string;
}

/** The scripts that check an application, in the order in which they find problems. */
const CHECKS = ['build', 'test', 'test:e2e'];

/** Plans the commands to run after the migration. */
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
    ...(needsZod
      ? ([[`${manager} ${add} zod@^4.2.0`, 'older versions cannot convert schemas to JSON Schema']] as const)
      : []),
    [`${manager} install`],
    ...(unused.length > 0
      ? ([[`${manager} ${remove} ${unused.join(' ')}`, 'if nothing outside the sources needs them']] as const)
      : []),
    ...CHECKS.filter((script) => Object.hasOwn(facts.scripts, script)).map((script): Step => [run(script)]),
    ...(endpoint === undefined || !Object.hasOwn(facts.scripts, starting)
      ? []
      : ([[run(starting), 'and in another terminal:'], [`npx nestjs-mcp-cli doctor ${endpoint}`]] as const)),
  ];
}

/** Reads an application as it will be after the changes. */
function overlay(project: Project, changes: readonly FileChange[]): Project {
  const changed = new Map(changes.map(({ path, text }) => [path, text]));
  return {
    read: (path) => changed.get(posix.normalize(path)) ?? project.read(path),
    findVersion: (name) => project.findVersion(name),
  };
}

/** Returns `undefined` if the application serves only stdio. */
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
    // The server may be in a file that only the main file imports.
    const path = changes.map(({ text }) => /\bmcpPath: (["'])(\/[^"']*)\1/.exec(text)?.[2]).find(Boolean);
    return path === undefined ? endpoint : new URL(path, endpoint).href;
  } catch {
    // Something still uses the other package.
    return undefined;
  }
}
