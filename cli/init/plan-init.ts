import { posix } from 'node:path';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { ApplicationError } from '../application/application.error.js';
import { readCliSettings } from '../application/cli-settings.js';
import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, parseManifest, type Manifest } from '../application/edit-manifest.js';
import { editModule } from '../application/edit-module.js';
import { maskSource } from '../application/masked-source.js';
import { explainJest, planJest } from '../application/plan-jest.js';
import type { FileChange, Plan, Project } from '../application/project.interface.js';
import { readSourceStyle } from '../application/source-style.js';
import { isZodRange, ZOD_RANGE } from '../application/zod-range.js';
import { readStart, type ApplicationStart } from './application-start.js';
import { assertNest } from './assert-nest.js';
import { findEndpoint, findStartScript } from './find-endpoint.js';
import { findServerFile } from './find-server-file.js';
import { formatClassName, formatFirstTool } from './first-tool.js';
import type { InitRequest } from './init-request.interface.js';
import { explainEndpoint } from './next-steps.js';
import { buildServerAdditions } from './server-additions.js';

/** Without a version, npm installs an old inspector on releases of Node that the newest one does not support. */
const INSPECTOR = '@modelcontextprotocol/inspector@2';

function buildScripts(endpoint: string) {
  return {
    'mcp:doctor': `nestjs-mcp-cli doctor ${endpoint}`,
    'mcp:inspect': `npx ${INSPECTOR} --transport http --server-url ${endpoint}`,
  };
}

/** What adds a server to an application, and where that is going to be. */
export interface InitPlan extends Plan {
  readonly endpoint: string;
  /** The script of the application that starts it, best with a watch. */
  readonly script: string;
  /** Whether the application had no server. */
  readonly addsServer: boolean;
  readonly start: ApplicationStart;
}

/** The changes of sources. */
type SourcePlan = Plan & Pick<InitPlan, 'addsServer'>;

/** What the first tool is called, if nothing else is said. */
const FIRST_TOOL = 'greeting';

/**
 * Finds what makes an application serve MCP, with a first tool. Nothing is written, and what is there already is not
 * changed again.
 *
 * @throws {ApplicationError} if it cannot be done, with what to write by hand
 */
export function planInit(project: Project, request: InitRequest = {}): InitPlan {
  const manifest = project.read('package.json');
  if (manifest === undefined) {
    throw new ApplicationError('"package.json" is not here: call "init" in the folder of the application');
  }
  const facts = parseManifest(manifest);
  assertNest(project, facts);
  const withZod = [project.findVersion('zod'), facts.findRange('zod')].some(isZodRange);
  const range = `^${readOwnPackage().version}`;
  const dependencies = { 'nestjs-mcp': range, ...(withZod && { zod: ZOD_RANGE }) };
  const path = findModulePath(project, request);
  const sourceRoot = posix.dirname(path);
  const jest = planJest(project, { manifest, facts, folder: sourceRoot });
  const devDependencies = { 'nestjs-mcp-cli': range, ...(jest.needsCompilers && JEST_COMPILERS) };
  const start = readStart(project, sourceRoot);
  const endpoint = findEndpoint(project, path, start);
  const scripts = buildScripts(endpoint);
  const edited = editManifest(jest.manifest, { dependencies, devDependencies, scripts });
  const sources = planSources(project, request, { path, facts, withZod });
  const changes = [
    ...sources.changes,
    ...jest.changes,
    ...(edited === manifest ? [] : [{ path: 'package.json', text: edited, isCreated: false }]),
  ];
  const notes = [...sources.notes, ...explainEndpoint(start, endpoint), ...jest.byHand.map(explainJest)];
  const { addsServer } = sources;
  return { changes, notes, endpoint, start, script: findStartScript(facts), addsServer };
}

function findModulePath(project: Project, { module }: InitRequest): string {
  return module ?? posix.join(readCliSettings(project).sourceRoot, 'app.module.ts');
}

function planSources(
  project: Project,
  { name: given }: InitRequest,
  { path, facts, withZod }: { readonly path: string; readonly facts: Manifest; readonly withZod: boolean },
): SourcePlan {
  const source = project.read(path);
  if (source === undefined) {
    throw new ApplicationError(`"${path}" is not here: name the file of the root module with "--module"`);
  }
  const server = findServerFile(project, path);
  const addsServer = server === undefined;
  const style = readSourceStyle(source, facts.isModule);
  const name = given ?? FIRST_TOOL;
  const className = formatClassName(name);
  // A server that somebody has begun without the first tool has tools of its own, or soon will.
  if (given === undefined && !addsServer && !maskSource(source).includes(className)) {
    const note = `"${server}" has a server already: no first tool is added ("--name" adds one)`;
    return { changes: [], notes: [note], addsServer };
  }
  const file = posix.join(posix.dirname(path), `${name}.tools.ts`);
  const tools = { className, from: `./${name}.tools${style.extension}` };
  const serverInfo = { name: findServerName(project, facts), version: facts.version };
  const additions = buildServerAdditions({ serverInfo, tools, addsServer }, style);
  const edited = editModule(source, additions, style);
  const text = formatFirstTool({ name, className, withZod }, style);
  const changes = [
    ...planTool(project.read(file), { path: file, text, isCreated: true }, className),
    ...(edited === source ? [] : [{ path, text: edited, isCreated: false }]),
  ];
  return { changes, notes: [], addsServer };
}

/** Folders above an application in which its workspace may be. */
const MOST_FOLDERS = 4;

/** Clients show the name: `server` says nothing, and the name of the workspace before it does. */
function findServerName(project: Project, { name }: Manifest): string {
  for (let depth = 1; depth <= MOST_FOLDERS; depth += 1) {
    const folder = '../'.repeat(depth);
    const manifest = project.read(`${folder}package.json`);
    const isWorkspace =
      project.read(`${folder}pnpm-workspace.yaml`) !== undefined || /"workspaces"\s*:/.test(manifest ?? '');
    if (manifest === undefined || !isWorkspace) continue;
    const workspace = parseManifest(manifest).name;
    return name.startsWith('@') || name.includes(workspace) ? name : `${workspace}-${name}`;
  }
  return name;
}

function planTool(
  existing: string | undefined,
  change: FileChange,
  className: string,
): readonly FileChange[] {
  if (existing === undefined) return [change];
  if (new RegExp(`\\bexport\\s+class\\s+${className}\\b`).test(existing)) return [];
  throw new ApplicationError(
    `"${change.path}" is here already, without "${className}": choose another "--name"`,
  );
}
