import { relative, isAbsolute, sep } from 'node:path';
import type { SourcePosition, SourcePositions } from './source-positions.js';
import { readFrame } from './stack-frames.js';

/** Whose code a place is in. */
interface Folders {
  /** The folder of the application. */
  readonly root: string;
  /** That of this package, as the application has it; empty if it is not known. */
  readonly packageRoot: string;
}

/** Which frames of a stack may be told. */
export interface StackFacts extends Folders {
  readonly positions: SourcePositions;
  /**
   * Whether what called this package counts as well. If this package throws while a call runs, the error is about the
   * call. The application's middleware in the stack is not the cause.
   */
  readonly isOfStart: boolean;
}

/** Finds the place in the application's own code that a stack leads to. Returns `undefined` if it leads to none. */
export function findPlace(frames: readonly string[], facts: StackFacts): SourcePosition | undefined {
  for (const frame of frames) {
    const position = readFrame(frame);
    if (position === undefined) continue;
    if (!facts.isOfStart && isOfPackage(position.file, facts)) return undefined;
    const source = facts.positions.find(position);
    if (isOwn(source.file, facts)) return source;
  }
  return undefined;
}

function isOwn(file: string, folders: Folders): boolean {
  const path = relative(folders.root, file);
  const isInside = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return isInside && !path.split(sep).includes('node_modules') && !isOfPackage(file, folders);
}

/** Parts of the package, and nothing else that lies in its folder. */
function isOfPackage(file: string, { packageRoot }: Folders): boolean {
  if (packageRoot === '') return false;
  const [first] = relative(packageRoot, file).split(sep);
  return first === 'dist' || first === 'lib';
}
