import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { AppPage } from '../../catalog/entries.js';
import { AppPageError, inlineAssets } from './inline-assets.js';

/** How to read a page. */
export interface PageReading {
  readonly maxBytes: number;
  /** Called with each folder that is read, even if it does not exist. */
  readonly note: (folder: string) => void;
}

const PAGES: ReadonlySet<string> = new Set(['.html', '.htm', '.xhtml']);

const INDEX = 'index.html';

/**
 * Reads an app's page with its assets inlined.
 *
 * @throws {AppPageError} if it does not exist, is not HTML or is too long
 */
export function readPage(
  { path, expects }: NonNullable<AppPage['source']>,
  { maxBytes, note }: PageReading,
): string {
  const found = statPage(path);
  if (expects === 'file' && found.isDirectory()) {
    throw new AppPageError(`"${path}" is a folder: use "directory", or a file inside it`);
  }
  if (expects === 'directory' && !found.isDirectory()) {
    throw new AppPageError(`"${path}" is a file: use "file", or its folder`);
  }
  const file = found.isDirectory() ? join(path, INDEX) : path;
  if (found.isDirectory()) assertIndex(path, file);
  if (!PAGES.has(extname(file).toLowerCase())) {
    throw new AppPageError(`"${file}" is not an HTML file: use a file that ends in ".html"`);
  }
  const folder = dirname(file);
  note(folder);
  const read = (asset: string): Buffer => readBounded(asset, maxBytes);
  const html = inlineAssets(decode(read(file), file), { page: file, folder, read, note, maxBytes });
  if (/<[a-z!]/i.test(html)) return html;
  throw new AppPageError(`"${file}" contains no HTML: write a whole page that starts with "<!doctype html>"`);
}

function statPage(path: string): Stats {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found;
  throw new AppPageError(`There is no file or folder "${path}": build it first, or correct the path`);
}

function assertIndex(folder: string, file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return;
  throw new AppPageError(
    `The folder "${folder}" has no "${INDEX}": build it first, or use the path of the page itself`,
  );
}

/**
 * Reads a file up to a size limit.
 *
 * @throws {AppPageError} if it is longer, or is not a regular file
 */
function readBounded(file: string, maxBytes: number): Buffer {
  const descriptor = openFile(file);
  try {
    const { size } = assertPlain(fstatSync(descriptor), file);
    if (size > maxBytes) throw tooLong(file, maxBytes);
    const bytes = Buffer.alloc(size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, length);
    }
    // It grew since: it is being written.
    if (length > size) throw new AppPageError(`"${file}" is being written: try again when it is complete`);
    return bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(file: string): number {
  // Opening a pipe would block until it has a writer.
  assertPlain(statSync(file), file);
  try {
    return openSync(file, 'r');
  } catch (cause) {
    throw new AppPageError(`"${file}" cannot be read: grant the process permission to read it`, { cause });
  }
}

function assertPlain(found: Stats, file: string): Stats {
  if (found.isFile()) return found;
  throw new AppPageError(`"${file}" is not a regular file`);
}

function tooLong(file: string, maxBytes: number): AppPageError {
  return new AppPageError(
    `"${file}" is longer than ${maxBytes} bytes: raise "limits.resourceBytes" or make it shorter`,
  );
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppPageError(`"${file}" is not UTF-8: save it as UTF-8`, { cause });
  }
}
