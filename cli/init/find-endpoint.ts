import type { Manifest } from '../application/edit-manifest.js';
import type { Project } from '../application/project-folder.js';
import type { ApplicationStart } from './application-start.js';
import { findServerFile } from './find-server-file.js';

/** The port used by applications that the Nest CLI creates. */
const USUAL_PORT = 3000;

/** Names of scripts that start an application, in order of preference. The Nest CLI generates the first. */
const START_SCRIPTS = ['start:dev', 'dev', 'start'];

/** Finds the local URL of an application's server in its sources. */
export function findEndpoint(project: Project, root: string, start: ApplicationStart): string {
  return `http://127.0.0.1:${start.port ?? USUAL_PORT}${findPath(project, root, start)}`;
}

/** An existing server may have a custom path. */
function findPath(project: Project, root: string, { prefix }: ApplicationStart): string {
  const file = findServerFile(project, root);
  const text = (file && project.read(file)) ?? '';
  const path = /\bmcpPath\s*:\s*(["'`])(\/[^"'`$]*)\1/.exec(text)?.[2] ?? '/mcp';
  const [, , before = ''] = /^(["'`])\/?([^"'`$]+?)\/?\1$/.exec(prefix ?? '') ?? [];
  return before !== '' && /\buseGlobalPrefix\s*:\s*true\b/.test(text) ? `/${before}${path}` : path;
}

/** Finds the script that starts an application, preferably in watch mode. */
export function findStartScript({ scripts }: Manifest): string {
  const [usual = ''] = START_SCRIPTS;
  return START_SCRIPTS.find((name) => Object.hasOwn(scripts, name)) ?? usual;
}
