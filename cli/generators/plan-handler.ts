import { posix } from 'node:path';
import { findHostProblems } from '../../lib/core/protocol/hosts/find-host-problems.js';
import { ApplicationError } from '../application/application.error.js';
import { parseManifest, type Manifest } from '../application/edit-manifest.js';
import type { FileChange, Plan } from '../application/project-folder.js';
import { readSourceStyle, type SourceStyle } from '../application/source-style.js';
import { isZodRange } from '../application/zod-range.js';
import { UsageError } from '../usage.error.js';
import { formatSpec } from './format-spec.js';
import type { HandlerIdentity, HandlerKind, HandlerTexts } from './handler-kind.interface.js';
import { parseHandlerRequest, type HandlerOptions, type HandlerRequest } from './handler-request.js';
import { listSources } from './list-sources.js';
import { planRegistration } from './plan-registration.js';
import { findRunner, planSpecNeeds } from './plan-spec.js';
import type { ProjectTree } from './project-tree.interface.js';

const MODULE_FILE = /\.module\.ts$/;

/**
 * Finds the file of a handler's module: the named one, or the first one in its folder or else in the nearest parent folder,
 * as the official schematics do.
 *
 * @throws {ApplicationError} if there is none
 */
function findModule(project: ProjectTree, request: HandlerRequest): string {
  if (request.module !== undefined) return findNamed(project, request.module, request.sourceRoot);
  for (let folder = request.folder; ; folder = posix.dirname(folder)) {
    const place = folder === '.' ? '' : folder;
    const file = project.list(place).files.find((name) => MODULE_FILE.test(name));
    if (file !== undefined) return posix.join(place, file);
    if (place === '') break;
  }
  throw new ApplicationError(
    `No module was found in "${request.folder}" or its parent folders: add one, or pass "--skip-import" and import the handler yourself`,
  );
}

function findNamed(project: ProjectTree, module: string, sourceRoot: string): string {
  const path = posix.normalize(module.replaceAll('\\', '/')).replace(/^\/+/, '');
  const file = path.endsWith('.ts') ? path : `${path.replace(/\.module$/, '')}.module.ts`;
  const found = [file, posix.join(sourceRoot, file)].find((one) => project.read(one) !== undefined);
  if (found === undefined || found.startsWith('..')) {
    throw new ApplicationError(`"${file}" does not exist: pass a module file with "--module"`);
  }
  return found;
}

/**
 * Plans the changes that add a handler and its test to an application. Nothing is written.
 *
 * @throws {UsageError} if the name is invalid
 * @throws {ApplicationError} if the application cannot be changed
 */
export function planHandler(kind: HandlerKind, options: HandlerOptions, project: ProjectTree): Plan {
  const { suffix } = kind;
  const request = parseHandlerRequest(options, { suffix, project });
  const manifest = project.read('package.json');
  const facts = manifest === undefined ? undefined : parseManifest(manifest);
  const module = request.withImport ? findModule(project, request) : undefined;
  const style = readSourceStyle((module && project.read(module)) ?? '', isModule(project, request, facts));
  const texts = kind.build({
    ...request.names,
    withZod: [project.findVersion('zod'), facts?.findRange('zod')].some(isZodRange),
    scheme: findScheme(facts),
    extension: style.extension,
  });
  assertCallable(kind, request);
  assertDistinct(request.names.className, texts.handler);
  const files = buildFiles(texts, { kind, request, style, facts });
  for (const { path } of files) assertAbsent(path, project);
  if (texts.identity !== undefined) assertUnique(texts.identity, request, project);
  const stem = `${request.names.name}.${suffix}`;
  const place = { ...request, module, file: posix.join(request.folder, stem), style };
  const registration = planRegistration(kind, place, project);
  const needs =
    request.withSpec && manifest !== undefined && facts !== undefined
      ? planSpecNeeds(project, { manifest, facts, folder: request.folder })
      : { changes: [], notes: [] };
  return {
    changes: [...files, ...registration.changes, ...needs.changes],
    notes: [...registration.notes, ...needs.notes],
  };
}

/** The nearest `package.json` decides whether files ending in `.js` are ES modules. */
function isModule(project: ProjectTree, { folder }: HandlerRequest, facts: Manifest | undefined): boolean {
  for (let place = folder; place !== '' && place !== '.'; place = posix.dirname(place)) {
    const nearest = project.read(posix.join(place, 'package.json'));
    if (nearest !== undefined) return parseManifest(nearest).isModule;
  }
  return facts?.isModule ?? false;
}

/** URI schemes that already have a meaning for clients. */
const TAKEN = new Set(['ui', 'skill', 'file', 'http', 'https', 'data', 'blob', 'javascript', 'about']);

/** The scheme of resource URIs is the application's package name without its scope. */
function findScheme(facts: Manifest | undefined): string {
  const name = (facts?.name ?? 'app').replace(/^@[^/]*\//, '').toLowerCase();
  return /^[a-z][a-z\d+.-]*$/.test(name) && !TAKEN.has(name) ? name : 'app';
}

interface Writing {
  readonly kind: HandlerKind;
  readonly request: HandlerRequest;
  readonly style: SourceStyle;
  readonly facts: Manifest | undefined;
}

function buildFiles(texts: HandlerTexts, writing: Writing): readonly FileChange[] {
  const { kind, request, style, facts } = writing;
  const { names, folder, withSpec, specSuffix } = request;
  const create = (ending: string, text: string): FileChange => ({
    path: posix.join(folder, `${names.name}.${ending}.ts`),
    text,
    isCreated: true,
  });
  const spec = () =>
    formatSpec({
      ...texts.spec,
      className: names.className,
      from: `./${names.name}.${kind.suffix}${style.extension}`,
      runner: findRunner(facts),
    });
  return [
    create(kind.suffix, texts.handler),
    ...Object.entries(texts.others ?? {}).map(([ending, text]) => create(ending, text)),
    ...(withSpec ? [create(`${kind.suffix}.${specSuffix}`, spec())] : []),
  ];
}

function assertAbsent(path: string, project: ProjectTree): void {
  if (project.read(path) === undefined) return;
  throw new ApplicationError(`"${path}" already exists: choose another name, or remove the file first`);
}

/** A single invalid tool name makes hosts reject the whole conversation. */
function assertCallable({ formatTool }: HandlerKind, { names }: HandlerRequest): void {
  const name = formatTool?.(names);
  if (name === undefined) return;
  const [problem] = findHostProblems({ name, inputSchema: { type: 'object', properties: {} } });
  if (problem === undefined) return;
  throw new UsageError(`Hosts would reject "${name}", because ${problem.found}: choose a shorter name`);
}

/** The class must not have the same name as an import in its file. */
function assertDistinct(className: string, handler: string): void {
  const imported = [...handler.matchAll(/^import \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace('type ', '').trim()),
  );
  if (!imported.includes(className)) return;
  throw new UsageError(
    `The class would be named "${className}", but its file imports that name: choose another one`,
  );
}

/** A server does not start if two handlers of a kind have the same name or URI. */
function assertUnique(identity: HandlerIdentity, { sourceRoot }: HandlerRequest, project: ProjectTree): void {
  const { decorator, member, value } = identity;
  const [other] = listSources(project, sourceRoot, `@${decorator}`).filter(({ text }) =>
    isKnownBy(text, identity),
  );
  if (other === undefined) return;
  throw new ApplicationError(
    `"${other.path}" already has a ${decorator} with the ${member} "${value}": choose another name`,
  );
}

/** A handler without a name is named after its method. */
function isKnownBy(text: string, { decorator, member, value }: HandlerIdentity): boolean {
  const escaped = value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  if (new RegExp(`\\b${member}\\s*:\\s*(['"\`])${escaped}\\1`).test(text)) return true;
  const method = new RegExp(`@${decorator}\\(([^@]*?)\\)\\s*(?:async\\s+)?${escaped}\\s*\\(`);
  const options = member === 'name' ? method.exec(text)?.[1] : undefined;
  return options !== undefined && !/\bname\s*:/.test(options);
}
