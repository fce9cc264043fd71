import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { statSync } from 'node:fs';
import { stripComments } from '../../../core/protocol/apps/find-style-loads.js';
import { scanPage, type PageElement } from '../../../core/protocol/apps/scan-page.js';
import { CatalogError } from '../../catalog/catalog.error.js';

/**
 * Inlines the scripts, styles and images of a page, because a host gets a single document. What is loaded from
 * elsewhere stays.
 *
 * @throws {AppPageError} if something is not there, leaves the folder, loads a further script, or makes the page too long
 */
export function inlineAssets(html: string, place: PagePlace): string {
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  const push = (part: string): void => {
    parts.push(part);
    length += Buffer.byteLength(part);
    if (length > place.maxBytes) throw tooLong(place);
  };
  for (const element of scanPage(html)) {
    const replacement = replace(element, html, place);
    if (replacement === undefined) continue;
    push(html.slice(at, element.start));
    push(replacement);
    at = element.end;
  }
  push(html.slice(at));
  return parts.join('');
}

function tooLong({ page, maxBytes }: PagePlace): AppPageError {
  return new AppPageError(
    `"${page}" is longer than ${maxBytes} bytes with what it loads: raise "limits.resourceBytes" or make it shorter`,
  );
}

/** Returns an element with what it loads in it, or `undefined` if it stays as it is. */
function replace(element: PageElement, html: string, place: PagePlace): string | undefined {
  const { name, text, start, end } = element;
  const written = html.slice(start, end);
  switch (name) {
    case 'script':
      return inlineScript(element, place);
    case 'link':
      return inlineLink(element, place);
    case 'style':
      return written.replace(text, () => inlineAddresses(text, place.folder, place));
    case 'img':
    case 'image':
    case 'feimage':
    case 'source':
    case 'video':
    case 'audio':
    case 'input':
      return inlineAttributes(written, element, place);
    default:
      return undefined;
  }
}

function inlineScript({ attributes }: PageElement, place: PagePlace): string | undefined {
  const file = findBeside(attributes.get('src'), place.folder, place);
  if (file === undefined) return undefined;
  // It is for browsers that know no modules, and no host shows apps in one.
  if (attributes.has('nomodule')) return '';
  const script = place.read(file).toString();
  assertAlone(script, file, place);
  // Neither may end the element, nor begin what a browser takes for a script inside a script.
  const text = script.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '<\\!--');
  // An inline script waits for the whole page only as a module.
  const type = attributes.get('type') ?? (attributes.has('defer') ? 'module' : undefined);
  return `<script${formatAttribute('type', type)}${formatAttribute('id', attributes.get('id'))}>${text}</script>`;
}

/** A host shows no icon of a page, and what is in the page need not be fetched early. */
const NEEDLESS = new Set(['icon', 'apple-touch-icon', 'manifest', 'modulepreload', 'preload', 'prefetch']);

function inlineLink({ attributes }: PageElement, place: PagePlace): string | undefined {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const url = attributes.get('href');
  if (!relations.includes('stylesheet')) {
    return isRelative(url) && relations.some((relation) => NEEDLESS.has(relation)) ? '' : undefined;
  }
  const file = findBeside(url, place.folder, place);
  if (file === undefined) return undefined;
  const css = inlineAddresses(place.read(file).toString(), dirname(file), place);
  const media = formatAttribute('media', attributes.get('media'));
  return `<style${media}>${css.replaceAll(/<\/(?=style)/gi, '<\\/')}</style>`;
}

const IMPORT_OF_STYLE = /@import\s+(?:url\(\s*)?["']?([^"'\s);]+)/gi;
const ADDRESS = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]+))\s*\)/gi;

/** Puts images and fonts into a style sheet; a sheet that it imports would need another rule for where it stands. */
function inlineAddresses(written: string, folder: string, place: PagePlace): string {
  const css = stripComments(written);
  const imported = [...css.matchAll(IMPORT_OF_STYLE)].map(([, url]) => url).find(isRelative);
  if (imported !== undefined) {
    throw new AppPageError(
      `"${place.page}" has a style that imports "${imported}": have the bundler make one style of both`,
    );
  }
  return css.replaceAll(ADDRESS, (whole: string, ...found: unknown[]) => {
    const url = found.slice(0, 3).find((one): one is string => typeof one === 'string');
    const file = findBeside(url, folder, place);
    return file === undefined ? whole : `url("${toDataUrl(file, place)}")`;
  });
}

function inlineAttributes(tag: string, { attributes }: PageElement, place: PagePlace): string | undefined {
  let inlined = tag;
  for (const name of ['src', 'poster', 'href', 'xlink:href']) {
    const file = findBeside(attributes.get(name), place.folder, place);
    if (file !== undefined) inlined = writeAttribute(inlined, name, toDataUrl(file, place));
  }
  const set = attributes.get('srcset');
  const inlinedSet = set && inlineSet(set, place);
  if (inlinedSet !== set) inlined = writeAttribute(inlined, 'srcset', inlinedSet ?? '');
  return inlined === tag ? undefined : inlined;
}

/** A candidate: its address, which ends at a space or at commas before one, and its width or density. */
const CANDIDATE = /([^\s,](?:\S*[^\s,])?)(,+(?=\s|$)|\s+[^,]*|$)/g;

function inlineSet(set: string, place: PagePlace): string {
  return set.replaceAll(CANDIDATE, (written: string, url: string, rest: string) => {
    const file = findBeside(url, place.folder, place);
    return file === undefined ? written : toDataUrl(file, place) + rest;
  });
}

/** An attribute of a tag. Its value is taken whole, so that nothing in it passes for another attribute. */
const ATTRIBUTE = /([^\s/>=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>][^\s>]*)/g;

/** Replaces the value of an attribute: of two with one name the first counts. */
function writeAttribute(tag: string, name: string, value: string): string {
  let isWritten = false;
  return tag.replaceAll(ATTRIBUTE, (whole: string, found: string, equals: string) => {
    if (isWritten || found.toLowerCase() !== name) return whole;
    isWritten = true;
    return `${found}${equals}"${value.replaceAll('"', '&quot;')}"`;
  });
}

function formatAttribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${value.replaceAll('"', '&quot;')}"`;
}

const IMPORT_OF_SCRIPT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{0,2}\/[^"'\s]+)["']/g;

/** Inline scripts have no address, so that nothing can be relative to it. */
function assertAlone(script: string, file: string, place: PagePlace): void {
  for (const [, url = ''] of script.matchAll(IMPORT_OF_SCRIPT)) {
    // What looks like an import may be text.
    if (!isBeside(url, dirname(file), place)) continue;
    throw new AppPageError(
      `"${place.page}" loads "${file}", which imports "${url}": have the bundler make one script of both, for example by "vite-plugin-singlefile"`,
    );
  }
}

/** The place of a page, and how to read the files next to it. */
interface PagePlace {
  readonly page: string;
  readonly folder: string;
  readonly read: (file: string) => Buffer;
  /** Is called with each folder in which a file is searched. */
  readonly note: (folder: string) => void;
  /** Bytes that the page may have with all that is put into it. */
  readonly maxBytes: number;
}

/** Tells whether an address names something beside the page. */
function isRelative(url: string | undefined): url is string {
  return url !== undefined && url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|#)/i.test(url);
}

/**
 * Finds the file that a relative address names. Returns `undefined` if the address is another. One that begins with a
 * slash begins at the folder of the page, as bundlers have it.
 *
 * @param from the folder at which it begins otherwise
 * @throws {AppPageError} if it is not there, or outside the folder of the page
 */
function findBeside(url: string | undefined, from: string, place: PagePlace): string | undefined {
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
function isBeside(url: string, from: string, place: PagePlace): boolean {
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
function toDataUrl(file: string, { read, page }: PagePlace): string {
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

/** Says why the page of an app cannot be served. */
export class AppPageError extends CatalogError {}
