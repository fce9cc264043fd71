import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { statSync } from 'node:fs';
import { stripComments } from '../../../core/protocol/apps/find-page-loads.js';
import { scanPage, type PageElement } from '../../../core/protocol/apps/scan-page.js';
import { CatalogError } from '../../catalog/catalog.error.js';

/**
 * Inlines a page's scripts, styles and images, because hosts load a single document. Absolute URLs stay.
 *
 * @throws {AppPageError} if an asset is missing, is outside the folder or imports another script, or the page becomes
 *   too long
 */
export function inlineAssets(html: string, context: PageContext): string {
  const parts: string[] = [];
  let at = 0;
  let length = 0;
  const push = (part: string): void => {
    parts.push(part);
    length += Buffer.byteLength(part);
    if (length > context.maxBytes) throw tooLong(context);
  };
  for (const element of scanPage(html)) {
    const replacement = replace(element, html, context);
    if (replacement === undefined) continue;
    push(html.slice(at, element.start));
    push(replacement);
    at = element.end;
  }
  push(html.slice(at));
  return parts.join('');
}

function tooLong({ page, maxBytes }: PageContext): AppPageError {
  return new AppPageError(
    `"${page}" is longer than ${maxBytes} bytes including the files that it loads: raise "limits.resourceBytes" or shorten it`,
  );
}

/** Returns an element with its assets inlined, or `undefined` if it is unchanged. */
function replace(element: PageElement, html: string, context: PageContext): string | undefined {
  const { name, text, start, end } = element;
  const written = html.slice(start, end);
  switch (name) {
    case 'script':
      return inlineScript(element, context);
    case 'link':
      return inlineLink(element, context);
    case 'style':
      return written.replace(text, () => inlineUrls(text, context.folder, context));
    case 'img':
    case 'image':
    case 'feimage':
    case 'source':
    case 'video':
    case 'audio':
    case 'input':
      return inlineAttributes(written, element, context);
    default:
      return undefined;
  }
}

function inlineScript({ attributes }: PageElement, context: PageContext): string | undefined {
  const file = findAsset(attributes.get('src'), context.folder, context);
  if (file === undefined) return undefined;
  // `nomodule` scripts are for browsers without modules, which no host uses.
  if (attributes.has('nomodule')) return '';
  const script = context.read(file).toString();
  assertNoImports(script, file, context);
  // Escapes sequences that would end the element or start a nested script.
  const text = script.replaceAll(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '<\\!--');
  // `defer` has no effect on inline scripts, while modules are always deferred.
  const type = attributes.get('type') ?? (attributes.has('defer') ? 'module' : undefined);
  return `<script${formatAttribute('type', type)}${formatAttribute('id', attributes.get('id'))}>${text}</script>`;
}

/** Hosts show no icons, and inlined assets need no preloading. */
const UNNEEDED = new Set(['icon', 'apple-touch-icon', 'manifest', 'modulepreload', 'preload', 'prefetch']);

function inlineLink({ attributes }: PageElement, context: PageContext): string | undefined {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  const url = attributes.get('href');
  if (!relations.includes('stylesheet')) {
    return isRelative(url) && relations.some((relation) => UNNEEDED.has(relation)) ? '' : undefined;
  }
  const file = findAsset(url, context.folder, context);
  if (file === undefined) return undefined;
  const css = inlineUrls(context.read(file).toString(), dirname(file), context);
  const media = formatAttribute('media', attributes.get('media'));
  return `<style${media}>${css.replaceAll(/<\/(?=style)/gi, '<\\/')}</style>`;
}

const IMPORT_OF_STYLE = /@import\s+(?:url\(\s*)?["']?([^"'\s);]+)/gi;
const CSS_URL = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]+))\s*\)/gi;

/**
 * Inlines images and fonts of a style sheet. Imports are rejected, because relative URLs in them would need a
 * different base.
 */
function inlineUrls(written: string, folder: string, context: PageContext): string {
  const css = stripComments(written);
  const imported = [...css.matchAll(IMPORT_OF_STYLE)].map(([, url]) => url).find(isRelative);
  if (imported !== undefined) {
    throw new AppPageError(
      `"${context.page}" has a style that imports "${imported}": configure the bundler to combine the styles`,
    );
  }
  return css.replaceAll(CSS_URL, (whole: string, ...found: unknown[]) => {
    const url = found.slice(0, 3).find((one): one is string => typeof one === 'string');
    const file = findAsset(url, folder, context);
    return file === undefined ? whole : `url("${toDataUrl(file, context)}")`;
  });
}

function inlineAttributes(
  tag: string,
  { attributes }: PageElement,
  context: PageContext,
): string | undefined {
  let inlined = tag;
  for (const name of ['src', 'poster', 'href', 'xlink:href']) {
    const file = findAsset(attributes.get(name), context.folder, context);
    if (file !== undefined) inlined = writeAttribute(inlined, name, toDataUrl(file, context));
  }
  const set = attributes.get('srcset');
  const inlinedSet = set && inlineSet(set, context);
  if (inlinedSet !== set) inlined = writeAttribute(inlined, 'srcset', inlinedSet ?? '');
  return inlined === tag ? undefined : inlined;
}

/** A `srcset` candidate: its URL, which ends at a space or at commas before one, and its descriptor. */
const CANDIDATE = /([^\s,](?:\S*[^\s,])?)(,+(?=\s|$)|\s+[^,]*|$)/g;

function inlineSet(set: string, context: PageContext): string {
  return set.replaceAll(CANDIDATE, (written: string, url: string, rest: string) => {
    const file = findAsset(url, context.folder, context);
    return file === undefined ? written : toDataUrl(file, context) + rest;
  });
}

/** An attribute. Matching its whole value ensures that nothing inside it is mistaken for another attribute. */
const ATTRIBUTE = /([^\s/>=]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>][^\s>]*)/g;

/** Replaces the value of the first attribute with a name. */
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

/** Rejects relative imports, because an inline script has no URL to resolve them against. */
function assertNoImports(script: string, file: string, context: PageContext): void {
  for (const [, url = ''] of script.matchAll(IMPORT_OF_SCRIPT)) {
    // A match may be ordinary text rather than an import.
    if (!isAsset(url, dirname(file), context)) continue;
    throw new AppPageError(
      `"${context.page}" loads "${file}", which imports "${url}": configure the bundler to combine the scripts, for example with "vite-plugin-singlefile"`,
    );
  }
}

/** A page's location, and how to read the files next to it. */
interface PageContext {
  readonly page: string;
  readonly folder: string;
  readonly read: (file: string) => Buffer;
  /** Called with each folder in which a file is looked up. */
  readonly note: (folder: string) => void;
  /** The maximum size of the page in bytes, including inlined assets. */
  readonly maxBytes: number;
}

/** Returns whether a URL is relative to the page. */
function isRelative(url: string | undefined): url is string {
  return url !== undefined && url !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[\\/]{2}|#)/i.test(url);
}

/**
 * Finds a relative URL's file. Returns `undefined` for an absolute URL. A leading slash means the page's folder, as
 * in bundler output.
 *
 * @param from the base folder of URLs without a leading slash
 * @throws {AppPageError} if the file does not exist, or is outside the page's folder
 */
function findAsset(url: string | undefined, from: string, context: PageContext): string | undefined {
  if (!isRelative(url)) return undefined;
  const { page, folder } = context;
  const file = locate(url, from, context);
  if (relative(folder, file).split(sep)[0] === '..') {
    throw new AppPageError(`"${page}" loads "${url}", which is outside its folder: copy it there`);
  }
  context.note(dirname(file));
  if (isFile(file)) return file;
  throw new AppPageError(
    `"${page}" loads "${url}", but there is no file "${file}": build it, or remove the reference`,
  );
}

/** Returns whether a relative URL names a file. */
function isAsset(url: string, from: string, context: PageContext): boolean {
  return isFile(locate(url, from, context));
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
 * Encodes a file as a `data:` URL.
 *
 * @throws {AppPageError} if its media type is unknown
 */
function toDataUrl(file: string, { read, page }: PageContext): string {
  const type = MEDIA_TYPES[extname(file).toLowerCase()];
  if (type !== undefined) return `data:${type};base64,${read(file).toString('base64')}`;
  throw new AppPageError(
    `"${page}" loads "${file}", whose media type is unknown: use an image, a font, audio or video`,
  );
}

function locate(url: string, from: string, { folder }: PageContext): string {
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

/** Thrown if an app page cannot be served. */
export class AppPageError extends CatalogError {}
