import { statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { AppPageError } from './app-page.error.js';

/** The place of a page, and how to read the files next to it. */
export interface PagePlace {
  readonly page: string;
  readonly folder: string;
  readonly read: (file: string) => Buffer;
  /** Is called with each folder in which a file is searched. */
  readonly note: (folder: string) => void;
  /** Bytes that the page may have with all that is put into it. */
  readonly maxBytes: number;
}

/** Tells whether an address names something beside the page. */
export function isRelative(url: string | undefined): url is string {
  return url !== undefined && url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|#)/i.test(url);
}

/**
 * Finds the file that a relative address names. Returns `undefined` if the address is another. One that begins with a
 * slash begins at the folder of the page, as bundlers have it.
 *
 * @param from the folder at which it begins otherwise
 * @throws {AppPageError} if it is not there, or outside the folder of the page
 */
export function findBeside(url: string | undefined, from: string, place: PagePlace): string | undefined {
  if (!isRelative(url)) return undefined;
  const { page, folder } = place;
  const file = locate(url, from, place);
  if (relative(folder, file).split(sep)[0] === '..') {
    throw new AppPageError(`"${page}" loads "${url}", which is outside its folder: copy it there`);
  }
  place.note(dirname(file));
  if (isFile(file)) return file;
  throw new AppPageError(
    `"${page}" loads "${url}", and there is no file "${file}": build it, or take that out`,
  );
}

/** Tells whether a relative address names a file. */
export function isBeside(url: string, from: string, place: PagePlace): boolean {
  return isFile(locate(url, from, place));
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.otf': 'font/otf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

/**
 * Returns a file as an address that holds it.
 *
 * @throws {AppPageError} if its name does not tell what it is
 */
export function toDataUrl(file: string, { read, page }: PagePlace): string {
  const type = MEDIA_TYPES[extname(file).toLowerCase()];
  if (type !== undefined) return `data:${type};base64,${read(file).toString('base64')}`;
  throw new AppPageError(
    `"${page}" loads "${file}", whose name does not say what it is: use an image, a font, a sound or a video`,
  );
}

function locate(url: string, from: string, { folder }: PagePlace): string {
  const path = decodePath(url.replace(/[?#][^]*$/, ''));
  return path.startsWith('/') ? join(folder, path) : resolve(from, path);
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
