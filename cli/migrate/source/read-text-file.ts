import { readFileSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** A text file, as it was read. */
export interface TextFile {
  /** The path as given, relative to the searched folder. */
  readonly path: string;
  /** The real path, without links. */
  readonly file: string;
  readonly bytes: Buffer;
  /** The content, without a byte order mark. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
}

/** A file that is not changed, with the reason. */
export interface UnreadFile {
  readonly path: string;
  readonly why: string;
  /** The content, of which at least the ASCII characters are correct; absent if it cannot be read. */
  readonly text: string | undefined;
}

const BYTE_ORDER_MARK = '\uFEFF';

/** Reads a file. Returns `undefined` if it does not exist. Files that are not UTF-8 cannot be changed without loss. */
export function readTextFile(folder: string, path: string): TextFile | UnreadFile | undefined {
  try {
    const file = realpathSync(resolve(folder, path));
    if (!statSync(file).isFile()) return undefined;
    const bytes = readFileSync(file);
    const content = decode(bytes);
    if (content === undefined) return { path, why: 'it is not UTF-8', text: bytes.toString('latin1') };
    const hasByteOrderMark = content.startsWith(BYTE_ORDER_MARK);
    return { path, file, bytes, text: hasByteOrderMark ? content.slice(1) : content, hasByteOrderMark };
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? undefined : { path, why: `it cannot be read (${code})`, text: undefined };
  }
}

/** Restores the byte order mark of a file. */
export function markText({ hasByteOrderMark }: Pick<TextFile, 'hasByteOrderMark'>, text: string): string {
  return hasByteOrderMark ? BYTE_ORDER_MARK + text : text;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
