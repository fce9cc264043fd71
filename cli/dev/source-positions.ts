import { readFileSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { fileURLToPath } from 'node:url';

/** A position in a source file, with the file's content if the source map contains it. */
export interface SourcePosition extends Position {
  readonly content?: string | undefined;
}

/** Larger files are bundles that contain more than the application. */
const LARGEST_BYTES = 32 * 1_048_576;

const MAPPING = /^\/\/[#@]\s*sourceMappingURL=(\S+)\s*$/gm;

/** The prefixes of bundlers' paths. */
const OF_BUNDLER = /^webpack:\/\/(?:[^/]*\/)?|^turbopack:\/\/(?:\[[^\]]*\]\/)?/;

/** Maps positions in compiled files to positions in sources with source maps. */
export class SourcePositions {
  readonly #maps = new Map<string, { readonly changed: number; readonly map: KnownMap | undefined }>();

  /** @param root the application's folder, which bundlers' paths are relative to */
  constructor(private readonly root: string) {}

  /** Returns the source position, or the position itself if there is no source map. */
  find(position: Position): SourcePosition {
    const map = this.#findMap(position.file);
    if (map === undefined) return position;
    const entry = map.map.findEntry(position.line - 1, position.column - 1);
    if (!('originalSource' in entry)) return position;
    const { originalSource, originalLine, originalColumn } = entry;
    // A segment may have no source, contrary to the types.
    const file = typeof originalSource === 'string' ? this.#resolve(originalSource, map) : undefined;
    if (file === undefined) return position;
    return {
      file,
      line: originalLine + 1,
      column: originalColumn + 1,
      content: map.contents.get(originalSource),
    };
  }

  #findMap(file: string): KnownMap | undefined {
    const changed = readChange(file);
    if (changed === undefined) return undefined;
    const cached = this.#maps.get(file);
    if (cached?.changed === changed) return cached.map;
    const map = loadMap(file);
    this.#maps.set(file, { changed, map });
    return map;
  }

  #resolve(source: string, { folder, sourceRoot }: KnownMap): string | undefined {
    if (source.startsWith('file://')) return findFilePath(source);
    if (OF_BUNDLER.test(source)) return resolve(this.root, source.replace(OF_BUNDLER, ''));
    return isAbsolute(source) ? source : resolve(folder, sourceRoot, source);
  }
}

/** Returns the path for the URL of a file on this machine. */
function findFilePath(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

interface KnownMap {
  readonly map: SourceMap;
  readonly folder: string;
  readonly sourceRoot: string;
  readonly contents: ReadonlyMap<string, string>;
}

/** On Windows, such a path is on another machine, which would receive the user's credentials. */
const REMOTE = /^[\\/]{2}/;

/** Returns the modification time of a file, or `undefined` if it is not a file or too large. */
function readChange(file: string): number | undefined {
  try {
    if (REMOTE.test(file)) return undefined;
    const found = statSync(file);
    return !found.isFile() || found.size > LARGEST_BYTES ? undefined : found.mtimeMs;
  } catch {
    return undefined;
  }
}

/** Loads the source map of a compiled file. Returns `undefined` if there is no readable one. */
function loadMap(file: string): KnownMap | undefined {
  try {
    const [, url] = [...readFileSync(file, 'utf8').matchAll(MAPPING)].at(-1) ?? [];
    if (url === undefined) return undefined;
    const { text, folder } = readMap(url, dirname(file));
    const payload: unknown = JSON.parse(text);
    if (!isObject(payload)) return undefined;
    const sources: readonly unknown[] = Array.isArray(payload['sources']) ? payload['sources'] : [];
    const contents: readonly unknown[] = Array.isArray(payload['sourcesContent'])
      ? payload['sourcesContent']
      : [];
    const pairs = sources.map((source, index) => [String(source), contents[index]] as const);
    return {
      map: new SourceMap(payload as unknown as ConstructorParameters<typeof SourceMap>[0]),
      folder,
      sourceRoot: typeof payload['sourceRoot'] === 'string' ? payload['sourceRoot'] : '',
      contents: new Map(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    };
  } catch {
    return undefined;
  }
}

function readMap(url: string, folder: string): { readonly text: string; readonly folder: string } {
  const [, encoding, body = ''] = /^data:[^,]*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (url.startsWith('data:')) {
    return {
      text: encoding === undefined ? decodeURIComponent(body) : Buffer.from(body, 'base64').toString(),
      folder,
    };
  }
  const file = resolve(folder, decodeURIComponent(url));
  return { text: readFileSync(file, 'utf8'), folder: dirname(file) };
}

/** A position in a file, counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const FRAME = /^\s+at (?:async )?(?:.*? \()?([^()]+?):(\d{1,9}):(\d{1,9})\)?$/;

/** Returns whether a line is a stack frame. */
export function isFrame(line: string): boolean {
  return /^\s+at \S/.test(line);
}

/** Parses a stack frame's position. Returns `undefined` if it is not in a file. */
export function readFrame(text: string): Position | undefined {
  const [, place, line, column] = FRAME.exec(text) ?? [];
  const file = place === undefined ? undefined : findFile(place);
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

function findFile(place: string): string | undefined {
  if (isAbsolute(place)) return place;
  if (!place.startsWith('file://')) return undefined;
  try {
    // Loaders add a query to reload a module.
    return fileURLToPath(place.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}
