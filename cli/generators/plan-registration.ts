import { posix } from 'node:path';
import { editModule, findOrigin } from '../application/edit-module.js';
import type { Plan } from '../application/project.interface.js';
import { readSourceStyle, type SourceStyle } from '../application/source-style.js';
import { editFeature } from './edit-feature.js';
import { editServer, formatOption } from './edit-server.js';
import { findCalls, selectServer } from './find-server.js';
import type { HandlerKind, NeededOption } from './handler-kind.interface.js';
import type { HandlerNames } from './handler-names.js';
import { listSources, type SourceFile } from './list-sources.js';
import type { ProjectTree } from './project-tree.interface.js';

/** A handler, and the module that it goes into. */
export interface HandlerPlace {
  readonly names: HandlerNames;
  /** The file of the handler, without its ending. */
  readonly file: string;
  readonly sourceRoot: string;
  /** The file of the module; nothing if its author imports the handler. */
  readonly module: string | undefined;
  readonly style: SourceStyle;
}

const NO_SERVER = `No "McpModule.forRoot()" is in the sources, so nothing serves this yet: "nest generate -c nestjs-mcp-cli init" adds it`;

/**
 * Finds what makes an application serve a handler.
 *
 * @throws {ApplicationError} if a module is of a shape that is better left to its author
 */
export function planRegistration(kind: HandlerKind, place: HandlerPlace, project: ProjectTree): Plan {
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

interface OptionPlace {
  readonly place: HandlerPlace;
  readonly project: ProjectTree;
  /** Sources that change, by their files. */
  readonly sources: Map<string, string>;
  readonly key: string | undefined;
}

/** Has the server know of the handler, and says what is left to do. */
function addOption(option: NeededOption | undefined, places: OptionPlace): readonly string[] {
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

/** The package that `migrate` rewrites has a module of the same name. */
function isOurs({ text }: SourceFile): boolean {
  return findOrigin(text, 'McpModule') !== '@rekog/mcp-nest';
}

function explain(option: NeededOption): string {
  return `Write "${formatOption(option)}" into the options of the server: they are not written out where they could be added`;
}

function formatRelative(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}
