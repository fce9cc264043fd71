import type { Manifest } from '../application/edit-manifest.js';
import type { Project } from '../application/project.interface.js';
import type { ApplicationStart } from './application-start.js';
import { findServerFile } from './find-server-file.js';

/** Where applications of the Nest CLI listen. */
const USUAL_PORT = 3000;

/** What starts an application, best first: the first is that of the Nest CLI. */
const START_SCRIPTS = ['start:dev', 'dev', 'start'];

/** Finds the URL of an application's server on this machine, as far as its sources show it. */
export function findEndpoint(project: Project, root: string, start: ApplicationStart): string {
  return `http://127.0.0.1:${start.port ?? USUAL_PORT}${findPath(project, root, start)}`;
}

/** A server that is there already may have a path of its own. */
function findPath(project: Project, root: string, { prefix }: ApplicationStart): string {
  const file = findServerFile(project, root);
  const text = (file && project.read(file)) ?? '';
  const path = /\bmcpPath\s*:\s*(["'`])(\/[^"'`$]*)\1/.exec(text)?.[2] ?? '/mcp';
  const [, , before = ''] = /^(["'`])\/?([^"'`$]+?)\/?\1$/.exec(prefix ?? '') ?? [];
  return before !== '' && /\buseGlobalPrefix\s*:\s*true\b/.test(text) ? `/${before}${path}` : path;
}

/** Finds the script that starts an application, best with a watch. */
export function findStartScript({ scripts }: Manifest): string {
  const [usual = ''] = START_SCRIPTS;
  return START_SCRIPTS.find((name) => Object.hasOwn(scripts, name)) ?? usual;
}
