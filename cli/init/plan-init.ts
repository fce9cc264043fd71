import { posix } from 'node:path';
import { readOwnPackage } from '../../lib/core/package/own-package.js';
import { ApplicationError } from '../application/application.error.js';
import { readCliSettings } from '../application/cli-settings.js';
import { JEST_COMPILERS } from '../application/edit-jest.js';
import { editManifest, parseManifest, type Manifest } from '../application/edit-manifest.js';
import { editModule, type ModuleAddition } from '../application/edit-module.js';
import { maskSource } from '../application/masked-source.js';
import { explainJest, planJest } from '../application/plan-jest.js';
import type { FileChange, Plan, Project } from '../application/project-folder.js';
import { formatImport, formatText, readSourceStyle, type SourceStyle } from '../application/source-style.js';
import { isZodRange, ZOD_RANGE } from '../application/zod-range.js';
import { findPackageManager } from '../dev/package-manager.js';
import { readStart, type ApplicationStart } from './application-start.js';
import { findEndpoint, findStartScript } from './find-endpoint.js';
import { findServerFile } from './find-server-file.js';
import type { InitRequest } from './init-options.js';
import { explainEndpoint } from './next-steps.js';

/** The oldest Nest release that this package supports. */
const OLDEST = { major: 11, minor: 1, patch: 6 } as const;

/** The packages that Nest releases together. */
const TOGETHER = [
  'common',
  'core',
  'platform-express',
  'platform-fastify',
  'microservices',
  'websockets',
  'platform-socket.io',
  'platform-ws',
  'testing',
].map((name) => `@nestjs/${name}`);

/** Package managers refuse to install this package with an older Nest, unless forced. */
function assertNest(project: Project, { findRange }: Manifest): void {
  const version = project.findVersion('@nestjs/core') ?? findOldMajor(findRange('@nestjs/core'));
  if (version === undefined || isRecent(version)) return;
  const manager = findPackageManager(project);
  const declared = TOGETHER.filter((name) => findRange(name) !== undefined).map(
    (name) => `${name}@${OLDEST.major}`,
  );
  const command = `${manager} ${manager === 'npm' ? 'install' : 'add'} ${declared.join(' ')}`;
  throw new ApplicationError(
    `"nestjs-mcp" requires Nest 11.1.6 or newer, but the application has ${version}: upgrade it first, with "${command}" and https://docs.nestjs.com/migration-guide`,
  );
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  if (major !== OLDEST.major) return major > OLDEST.major;
  return minor > OLDEST.minor || (minor === OLDEST.minor && patch >= OLDEST.patch);
}

/** If nothing is installed, a range of the current major release may resolve to any of its versions. */
function findOldMajor(range = ''): string | undefined {
  const [, version, major] = /^[\^~>=v\s]*((\d+)[\d.]*)/.exec(range) ?? [];
  return Number(major) < OLDEST.major ? version : undefined;
}

/** Without a version, npm installs an old inspector on Node releases that the newest one does not support. */
const INSPECTOR = '@modelcontextprotocol/inspector@2';

function buildScripts(endpoint: string) {
  return {
    'mcp:doctor': `nestjs-mcp-cli doctor ${endpoint}`,
    'mcp:inspect': `npx ${INSPECTOR} --transport http --server-url ${endpoint}`,
  };
}

/** The changes that add a server to an application, and its future endpoint. */
export interface InitPlan extends Plan {
  readonly endpoint: string;
  /** The script that starts the application, preferably in watch mode. */
  readonly script: string;
  /** Whether the application had no server. */
  readonly addsServer: boolean;
  readonly start: ApplicationStart;
}

/** The changes to sources. */
type SourcePlan = Plan & Pick<InitPlan, 'addsServer'>;

/** The default name of the sample tool. */
const FIRST_TOOL = 'greeting';

/**
 * Plans the changes that make an application serve MCP, with a sample tool. Nothing is written, and existing code is
 * not changed again.
 *
 * @throws {ApplicationError} if the application cannot be changed; it contains the code to write by hand
 */
export function planInit(project: Project, request: InitRequest = {}): InitPlan {
  const manifest = project.read('package.json');
  if (manifest === undefined) {
    throw new ApplicationError('This folder has no "package.json": run "init" in the application folder');
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
    throw new ApplicationError(`"${path}" does not exist: pass the root module's file with "--module"`);
  }
  const server = findServerFile(project, path);
  const addsServer = server === undefined;
  const style = readSourceStyle(source, facts.isModule);
  const name = given ?? FIRST_TOOL;
  const className = formatClassName(name);
  // An existing server without the sample tool already has tools, or soon will.
  if (given === undefined && !addsServer && !maskSource(source).includes(className)) {
    const note = `"${server}" already has a server, so no sample tool was added: pass "--name" to add one`;
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

/** The maximum number of parent folders to search for a workspace. */
const MOST_FOLDERS = 4;

/** Clients display the name, so a generic package name such as `server` is prefixed with its workspace's name. */
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
    `"${change.path}" already exists, but does not export "${className}": choose another "--name"`,
  );
}

/** An application's sample tool. */
interface FirstTool {
  /** The name that its file name is derived from. */
  readonly name: string;
  readonly className: string;
  readonly withZod: boolean;
}

/** Formats the class's name in `<name>.tools.ts`. */
function formatClassName(name: string): string {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Tools`;
}

/** Formats the sample tool's file, `greet`. */
function formatFirstTool({ className, withZod }: FirstTool, style: SourceStyle): string {
  const { quote: q, semicolon: s } = style;
  const imports = [
    formatImport('Injectable', '@nestjs/common', style),
    formatImport('Tool', 'nestjs-mcp', style),
    ...(withZod ? [formatImport('z', 'zod', style)] : []),
  ];
  const description = `Who to greet`;
  const schema = withZod
    ? [`const Guest = z.object({ name: z.string().min(1).describe(${q}${description}${q}) })${s}`]
    : [
        `const Guest = {`,
        `  type: ${q}object${q},`,
        `  properties: { name: { type: ${q}string${q}, minLength: 1, description: ${q}${description}${q} } },`,
        `  required: [${q}name${q}],`,
        `} as const${s}`,
      ];
  const lines = [
    ...imports,
    '',
    ...schema,
    '',
    '@Injectable()',
    `export class ${className} {`,
    `  @Tool({ description: ${q}Greets a guest by name${q}, inputSchema: Guest })`,
    `  greet({ name }: ${withZod ? 'z.infer<typeof Guest>' : '{ name: string }'}) {`,
    `    return \`Hello, \${name}\`${s}`,
    '  }',
    '}',
    '',
  ];
  return lines.join(style.lineEnd);
}

/** The additions to the root module. */
export interface FirstServer {
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** The sample tool's class, and its module specifier. */
  readonly tools: { readonly className: string; readonly from: string };
  /** Whether the application has no server. @default true */
  readonly addsServer?: boolean;
}

/** Builds the additions of a server and its sample tool to a module. */
export function buildServerAdditions(
  { serverInfo: { name, version }, tools, addsServer = true }: FirstServer,
  style: SourceStyle,
): readonly ModuleAddition[] {
  const info = `{ name: ${formatText(name, style)}, version: ${formatText(version, style)} }`;
  const server = {
    name: 'McpModule',
    from: 'nestjs-mcp',
    list: 'imports',
    element: `McpModule.forRoot({ serverInfo: ${info} })`,
  } as const;
  return [
    ...(addsServer ? [server] : []),
    { name: tools.className, from: tools.from, list: 'providers', element: tools.className },
  ];
}
