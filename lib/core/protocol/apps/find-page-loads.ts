import { findScriptLoads } from './find-script-loads.js';
import { findStyleLoads } from './find-style-loads.js';
import type { PageLoad } from './page-load.interface.js';
import { scanPage, type PageElement } from './scan-page.js';

/** Finds what a page loads when it is shown, and what its scripts may load later. */
export function findPageLoads(html: string): readonly PageLoad[] {
  const loads: PageLoad[] = [];
  let isInPicture = false;
  for (const element of scanPage(html)) {
    if (element.name === 'picture') isInPicture = true;
    else if (element.name !== 'source') isInPicture = false;
    loads.push(...findLoads(element, isInPicture));
  }
  return loads;
}

function findLoads(element: PageElement, isInPicture: boolean): readonly PageLoad[] {
  return [
    ...findOwnLoads(element, isInPicture),
    ...findStyleLoads(element.attributes.get('style') ?? '', '"style"'),
  ];
}

function findOwnLoads(element: PageElement, isInPicture: boolean): readonly PageLoad[] {
  const { name, text } = element;
  switch (name) {
    case 'script':
      return element.attributes.has('src') ? read(element, 'src', 'script') : findInlineLoads(element);
    case 'style':
      return findStyleLoads(text, '<style>');
    case 'link':
      return isStyleSheet(element) ? read(element, 'href', 'style') : [];
    case 'img':
      return [...read(element, 'src', 'image'), ...readSet(element)];
    case 'image':
      return [...read(element, 'href', 'image'), ...read(element, 'xlink:href', 'image')];
    case 'input':
      return element.attributes.get('type')?.toLowerCase() === 'image' ? read(element, 'src', 'image') : [];
    case 'source':
      return isInPicture ? readSet(element) : [...readSet(element), ...read(element, 'src', 'media')];
    case 'video':
      return [...read(element, 'src', 'media'), ...read(element, 'poster', 'image')];
    case 'audio':
    case 'track':
      return read(element, 'src', 'media');
    case 'iframe':
    case 'frame':
      return read(element, 'src', 'frame');
    case 'object':
      return read(element, 'data', 'object');
    case 'embed':
      return read(element, 'src', 'object');
    case 'base':
      return read(element, 'href', 'base');
    default:
      return [];
  }
}

function read(
  { name, attributes }: PageElement,
  attribute: string,
  kind: PageLoad['kind'],
): readonly PageLoad[] {
  const url = attributes.get(attribute)?.trim() ?? '';
  return url === '' ? [] : [{ kind, url, by: `<${name} ${attribute}>`, isCertain: true }];
}

/** Candidates are parted by commas and spaces; URLs have commas too, but none at the end. */
function readSet({ name, attributes }: PageElement): readonly PageLoad[] {
  const candidates = attributes.get('srcset')?.match(/[^\s,][^\s]*/g) ?? [];
  return candidates
    .map((candidate) => candidate.replace(/,+$/, ''))
    .filter((candidate) => !/^\d+(?:\.\d+)?[wxh]$/.test(candidate))
    .map((url) => ({ kind: 'image', url, by: `<${name} srcset>`, isCertain: true }));
}

function isStyleSheet({ attributes }: PageElement): boolean {
  const relations = (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
  return relations.includes('stylesheet') && !relations.includes('alternate');
}

/** Types of scripts that are data to a browser. */
function findInlineLoads({ attributes, text }: PageElement): readonly PageLoad[] {
  const type = (attributes.get('type') ?? '').trim().toLowerCase();
  return type === '' || type === 'module' || /(?:java|ecma)script/.test(type) ? findScriptLoads(text) : [];
}
