import { posix } from 'node:path';
import { parseObject } from './parse-object.js';
import type { Project } from './project-folder.js';

/** The Nest CLI settings files. The first existing file is used. */
const FILES = ['nest-cli.json', '.nest-cli.json'];

/** The default source folder. */
const DEFAULT_ROOT = 'src';

/** The parts of the Nest CLI settings that are used. */
export interface CliSettings {
  /** The source folder; in a monorepo, the default project's. */
  readonly sourceRoot: string;
  /** The folders of a monorepo's projects. */
  readonly projectRoots: readonly string[];
}

/**
 * Reads the Nest CLI's settings, or returns defaults if there are none.
 *
 * @throws {ApplicationError} if they are not JSON
 */
export function readCliSettings(project: Project): CliSettings {
  const { sourceRoot, projects } = readSettings(project);
  return {
    sourceRoot: typeof sourceRoot === 'string' && sourceRoot !== '' ? sourceRoot : DEFAULT_ROOT,
    projectRoots: readRoots(projects),
  };
}

/** A project of a monorepo. */
export interface CliProject {
  readonly name: string;
  /** Whether it is a library rather than an application. */
  readonly isLibrary: boolean;
}

/**
 * Reads the projects of a monorepo. Returns `undefined` for a single application.
 *
 * @throws {ApplicationError} if the settings are not JSON
 */
export function readCliProjects(project: Project): readonly CliProject[] | undefined {
  const { projects } = readSettings(project);
  if (typeof projects !== 'object' || projects === null || Object.keys(projects).length === 0)
    return undefined;
  return Object.entries(projects).map(([name, one]: [string, unknown]) => {
    const isLibrary = typeof one === 'object' && one !== null && 'type' in one && one.type === 'library';
    return { name, isLibrary };
  });
}

function readSettings(project: Project): Record<string, unknown> {
  const name = FILES.find((file) => project.read(file) !== undefined);
  const text = name && project.read(name);
  return name && text ? parseObject(name, text) : {};
}

function readRoots(projects: unknown): readonly string[] {
  if (typeof projects !== 'object' || projects === null) return [];
  return Object.values(projects).flatMap((one: unknown) => {
    const root = typeof one === 'object' && one !== null && 'root' in one ? one.root : undefined;
    return typeof root === 'string' ? [posix.normalize(root)] : [];
  });
}
