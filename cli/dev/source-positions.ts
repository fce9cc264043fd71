import { readFileSync, statSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { isObject } from '../../lib/core/protocol/json-rpc.js';
import { fileURLToPath } from 'node:url';

/** A place in a file as its author wrote it, with the text of the file if the map has it. */
export interface SourcePosition extends Position {
  readonly content?: string | undefined;
}

/** Larger files are bundles of more than the application. */
const LARGEST_BYTES = 32 * 1_048_576;

const MAPPING = /^\/\/[#@]\s*sourceMappingURL=(\S+)\s*$/gm;

/** What bundlers put before a path. */
const OF_BUNDLER = /^webpack:\/\/(?:[^/]*\/)?|^turbopack:\/\/(?:\[[^\]]*\]\/)?/;

/** Finds the places in sources that places in compiled files come from, by source maps. */
export class SourcePositions {
  readonly #maps = new Map<string, { readonly changed: number; readonly map: KnownMap | undefined }>();

  /** @param root the folder of the application, for what bundlers name relative to it */
  constructor(private readonly root: string) {}

  /** Returns where a place comes from: the place itself if there is no map. */
  find(position: Position): SourcePosition {
    const map = this.#findMap(position.file);
    if (map === undefined) return position;
    const entry = map.map.findEntry(position.line - 1, position.column - 1);
    if (!('originalSource' in entry)) return position;
    const { originalSource, originalLine, originalColumn } = entry;
    // A segment may name no source, whatever the types say.
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
    const kept = this.#maps.get(file);
    if (kept?.changed === changed) return kept.map;
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

/** Returns the path of a URL of a file on this machine. */
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

/** On Windows such a path leads to another machine, which would be asked with the user's name and proof. */
const REMOTE = /^[\\/]{2}/;

/** Returns when a file was changed, or `undefined` if it is none, or too large. */
function readChange(file: string): number | undefined {
  try {
    if (REMOTE.test(file)) return undefined;
    const found = statSync(file);
    return !found.isFile() || found.size > LARGEST_BYTES ? undefined : found.mtimeMs;
  } catch {
    return undefined;
  }
}

/** Loads the map that a compiled file names. Returns `undefined` if there is none that can be read. */
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

/** A place in a file, counted from 1. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const FRAME = /^\s+at (?:async )?(?:.*? \()?([^()]+?):(\d{1,9}):(\d{1,9})\)?$/;

/** Tells whether a line is a frame of a stack. */
export function isFrame(line: string): boolean {
  return /^\s+at \S/.test(line);
}

/** Reads where a frame of a stack is. Returns `undefined` if that is in no file. */
export function readFrame(text: string): Position | undefined {
  const [, place, line, column] = FRAME.exec(text) ?? [];
  const file = place === undefined ? undefined : findFile(place);
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

function findFile(place: string): string | undefined {
  if (isAbsolute(place)) return place;
  if (!place.startsWith('file://')) return undefined;
  try {
    // Loaders add a query to load a module again.
    return fileURLToPath(place.replace(/[?#].*$/, ''));
  } catch {
    return undefined;
  }
}
