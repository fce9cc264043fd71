import { ApplicationError } from '../application/application.error.js';
import { readCliProjects } from '../application/cli-settings.js';
import { parseManifest } from '../application/edit-manifest.js';
import type { Project } from '../application/project-folder.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import type { DevOptions } from './dev-options.js';

/** The script that starts an application and restarts it on changes. */
export interface WatchScript {
  readonly name: string;
  /** The script's arguments. */
  readonly args: readonly string[];
}

/** The usual names, starting with the Nest CLI's. */
const USUAL_NAMES = ['start:dev', 'dev'];

/** A script that accepts the name of a monorepo project. */
const TAKES_PROJECT = /\bnest\s+start\b/;

/**
 * Finds the script that starts an application.
 *
 * @throws {UsageError} if there is none, or the options do not match it
 */
export function findScript(
  project: Project,
  options: Pick<DevOptions, 'script' | 'project' | 'args'>,
): WatchScript {
  const scripts = readScripts(project);
  const name = selectName(scripts, options.script);
  if (options.project === undefined) return { name, args: options.args };
  assertProject(project, options.project);
  if (!TAKES_PROJECT.test(scripts[name] ?? '')) {
    throw new UsageError(
      `"--project" requires a script that runs "nest start", which ${quoteVisible(name)} does not: pass the project's script with "--script"`,
    );
  }
  return { name, args: [options.project, ...options.args] };
}

function readScripts(project: Project): Readonly<Record<string, string>> {
  const manifest = project.read('package.json');
  if (manifest === undefined) {
    throw new UsageError(
      'There is no "package.json" in this folder: run the command in the application folder',
    );
  }
  try {
    return parseManifest(manifest).scripts;
  } catch (cause) {
    if (cause instanceof ApplicationError) throw new UsageError(cause.message, { cause });
    throw cause;
  }
}

function selectName(scripts: Readonly<Record<string, string>>, wanted: string | undefined): string {
  const names = wanted === undefined ? USUAL_NAMES : [wanted];
  const found = names.find((name) => Object.hasOwn(scripts, name) && !name.startsWith('-'));
  if (found !== undefined) return found;
  const missing = names.map((name) => quoteVisible(name)).join(' or ');
  const listed = Object.keys(scripts).map((name) => quoteVisible(name));
  const fix =
    listed.length === 0
      ? 'add "start:dev": "nest start --watch"'
      : `pass one with "--script": ${listed.slice(0, 20).join(', ')}`;
  throw new UsageError(`"package.json" has no script ${missing}: ${fix}`);
}

function assertProject(project: Project, name: string): void {
  const projects = readCliProjects(project);
  if (projects === undefined) {
    throw new UsageError(
      '"--project" requires a Nest CLI monorepo, but "nest-cli.json" has no "projects": omit it',
    );
  }
  const found = projects.find((one) => one.name === name);
  const applications = projects.filter(({ isLibrary }) => !isLibrary).map((one) => quoteVisible(one.name));
  const known = `the applications are ${applications.join(', ')}`;
  if (found === undefined) throw new UsageError(`There is no project ${quoteVisible(name)}: ${known}`);
  if (found.isLibrary)
    throw new UsageError(`${quoteVisible(name)} is a library, which cannot be started: ${known}`);
}
