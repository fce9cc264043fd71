import { posix } from 'node:path';
import { ApplicationError } from '../application/application.error.js';
import { editModule, findOrigin, insertImports } from '../application/edit-module.js';
import { maskSource } from '../application/masked-source.js';
import {
  insertAll,
  insertElement,
  insertMember,
  readObjectLiteral,
  type ObjectLiteral,
} from '../application/object-literal.js';
import type { Plan } from '../application/project-folder.js';
import { readSourceStyle, type SourceStyle } from '../application/source-style.js';
import type { HandlerKind, NeededOption } from './handler-kind.interface.js';
import type { HandlerNames } from './handler-names.js';
import { listSources, type SourceFile } from './list-sources.js';
import type { ProjectTree } from './project-tree.interface.js';

/** A handler, and the module to add it to. */
export interface HandlerLocation {
  readonly names: HandlerNames;
  /** The handler's file, without its extension. */
  readonly file: string;
  readonly sourceRoot: string;
  /** The module's file; absent if the developer imports the handler. */
  readonly module: string | undefined;
  readonly style: SourceStyle;
}

const NO_SERVER = `The sources contain no "McpModule.forRoot()", so no server offers this handler yet: run "nest generate -c nestjs-mcp-cli init" to add one`;

/**
 * Plans the changes that make an application serve a handler.
 *
 * @throws {ApplicationError} if a module cannot be changed safely
 */
export function planRegistration(kind: HandlerKind, place: HandlerLocation, project: ProjectTree): Plan {
  const { names, module, style } = place;
  if (module === undefined) return { changes: [], notes: [] };
  const sources = new Map([[module, project.read(module) ?? '']]);
  const { className } = names;
  const from = formatRelative(module, place.file) + style.extension;
  const addition = { name: className, from, list: 'providers', element: className } as const;
  const provided = editModule(sources.get(module) ?? '', [addition], style);
  const feature = editFeature(provided, className);
  sources.set(module, kind.isAssigned ? feature.text : provided);
  const option = kind.findOption?.(names);
  const notes = addOption(option, { place, project, sources, key: feature.server });
  const changes = [...sources].flatMap(([path, text]) =>
    text === project.read(path) ? [] : [{ path, text, isCreated: false }],
  );
  return { changes, notes };
}

interface OptionLocation {
  readonly place: HandlerLocation;
  readonly project: ProjectTree;
  /** Sources that change, keyed by path. */
  readonly sources: Map<string, string>;
  readonly key: string | undefined;
}

/** Adds the option that a handler needs to the server, and returns the remaining steps. */
function addOption(option: NeededOption | undefined, places: OptionLocation): readonly string[] {
  const { place, project, sources, key } = places;
  const files = listSources(project, place.sourceRoot, 'McpModule').filter(isOurs);
  const calls = files.flatMap((file) => findCalls(file, ['forRoot', 'forRootAsync']));
  if (calls.length === 0) return [NO_SERVER];
  if (option === undefined) return [];
  const path = selectServer(calls, key)?.path;
  const text = path && (sources.get(path) ?? project.read(path));
  if (path === undefined || text === undefined) return [explain(option)];
  const isModule = place.style.extension !== '';
  const style = readSourceStyle(text, isModule);
  const from = formatRelative(path, place.file) + style.extension;
  const edited = editServer(text, { option, key, from, style });
  if (edited === undefined) return [explain(option)];
  sources.set(path, edited);
  return [];
}

/** The package that `migrate` replaces has a module with the same name. */
function isOurs({ text }: SourceFile): boolean {
  return findOrigin(text, 'McpModule') !== '@rekog/mcp-nest';
}

function explain(option: NeededOption): string {
  return `Add "${formatOption(option)}" to the server options yourself: they are not an object literal that can be extended`;
}

function formatRelative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** A module's `McpModule.forFeature()` call. */
interface Feature {
  /** The source, with the class added to the feature's list if the module has one. */
  readonly text: string;
  /** The server for the module's handlers; absent if none is named. */
  readonly server: string | undefined;
}

/**
 * Assigns a class to the same server as the other handlers of its module.
 *
 * @throws {ApplicationError} if the feature's list is not a plain array
 */
function editFeature(text: string, className: string): Feature {
  const [feature, ...others] = findCalls({ path: '', text }, ['forFeature']);
  if (feature?.options === undefined || others.length > 0) return { text, server: undefined };
  const { options, server } = feature;
  const list = options.members.get('providers');
  // A feature that selects handlers with tags has no list; a list would exclude all other handlers.
  if (list === undefined) return { text, server: undefined };
  const isThere = new RegExp(`\\b${className}\\b`).test(text.slice(list.start, list.end));
  if (isThere) return { text, server };
  const insertion = insertElement(maskSource(text), options, { list: 'providers', element: className });
  return { text: insertAll(text, [insertion]), server };
}

/** An option that a server must have. */
interface ServerEdit {
  readonly option: NeededOption;
  /** The server key. @default the default server */
  readonly key: string | undefined;
  /** The module specifier of the class, if the value is a class. */
  readonly from: string;
  readonly style: SourceStyle;
}

/** Formats an option as a property of the server's options. */
function formatOption({ name, in: outer, value }: NeededOption): string {
  return outer === undefined ? `${name}: ${value}` : `${outer}: { ${name}: ${value} }`;
}

/**
 * Adds an option to a server in its module's source, and leaves existing properties unchanged. Returns `undefined` if
 * the options are not an object literal.
 *
 * @throws {ApplicationError} if the option has a different value
 */
function editServer(text: string, { option, key, from, style }: ServerEdit): string | undefined {
  const server = selectServer(findCalls({ path: '', text }, ['forRoot']), key);
  const found = server?.options;
  if (found === undefined) return undefined;
  const masked = maskSource(text);
  const name = option.in ?? option.name;
  const value = found.members.get(name);
  const imports = option.isClass ? insertImports(text, [{ name: option.value, from }], style) : [];
  if (value === undefined) {
    if (!found.isComplete) return undefined;
    return insertAll(text, [insertMember(masked, found.object, formatOption(option)), ...imports]);
  }
  if (option.in === undefined) return hasValue(text.slice(value.start, value.end), option) ? text : undefined;
  const inner = masked.charAt(value.start) === '{' ? readObjectLiteral(masked, value.start) : undefined;
  if (inner === undefined || inner.object.end !== value.end - 1) return undefined;
  const given = inner.members.get(option.name);
  if (given !== undefined) {
    assertSame(text.slice(given.start, given.end), option);
    return text;
  }
  if (!inner.isComplete) return undefined;
  const member = `${option.name}: ${option.value}`;
  return insertAll(text, [insertMember(masked, inner.object, member), ...imports]);
}

/** `false` disables the option; an object enables it with settings. */
function hasValue(given: string, { value }: NeededOption): boolean {
  return given === value || given.startsWith('{');
}

function assertSame(given: string, { in: outer, name, value }: NeededOption): void {
  if (given === value) return;
  throw new ApplicationError(
    `The server's "${outer}.${name}" must be "${value}", but is "${given}": call "${value}" from it, or pass "--skip-import"`,
  );
}

/** A call to an `McpModule` method, with its options if they are an object literal. */
interface ModuleCall {
  readonly path: string;
  readonly options: ObjectLiteral | undefined;
  /** The server key, if the call names one. */
  readonly server: string | undefined;
  readonly isDefault: boolean;
}

/** Finds the calls to certain `McpModule` methods. */
function findCalls(
  { path, text }: SourceFile,
  methods: readonly ('forRoot' | 'forRootAsync' | 'forFeature')[],
): readonly ModuleCall[] {
  const masked = maskSource(text);
  const call = new RegExp(String.raw`\bMcpModule\s*\.\s*(?:${methods.join('|')})\s*\(\s*`, 'g');
  return [...masked.matchAll(call)].map(({ 0: { length }, index }) => {
    const opening = index + length;
    const options = masked.charAt(opening) === '{' ? readObjectLiteral(masked, opening) : undefined;
    const read = (name: string) => {
      const span = options?.members.get(name);
      return span && text.slice(span.start, span.end);
    };
    return {
      path,
      options,
      server: read('server')?.replaceAll(/^['"`]|['"`]$/g, ''),
      isDefault: read('isDefault') === 'true',
    };
  });
}

/** Selects the server with a key, or the default server if there is no key. */
function selectServer(calls: readonly ModuleCall[], key: string | undefined): ModuleCall | undefined {
  if (key !== undefined) return calls.find(({ server }) => server === key);
  const named = calls.find(
    ({ server, isDefault }) => isDefault || server === undefined || server === 'default',
  );
  return named ?? (calls.length === 1 ? calls[0] : undefined);
}
