import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

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
