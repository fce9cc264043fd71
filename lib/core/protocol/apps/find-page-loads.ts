import { type PageElement, scanPage } from './scan-page.js';

/** A URL that a page loads or navigates to, or may. */
export interface PageLoad {
  readonly kind:
    | 'script'
    | 'style'
    | 'image'
    | 'font'
    | 'media'
    | 'connection'
    | 'frame'
    | 'object'
    | 'base'
    | 'navigation';
  /** As written in the page, possibly relative. */
  readonly url: string;
  /** What loads it, as written in the page, such as `<script src>`. */
  readonly by: string;
  /** Whether it is loaded as soon as the page is shown. Scripts may never run. */
  readonly isCertain: boolean;
}

/** A call with a literal URL, and what it loads. */
const CALLS: readonly { readonly by: string; readonly kind: PageLoad['kind']; readonly pattern: RegExp }[] = [
  { by: 'fetch()', kind: 'connection', pattern: /\bfetch\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g },
  {
    by: 'new WebSocket()',
    kind: 'connection',
    pattern: /\bnew\s+WebSocket\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  {
    by: 'new EventSource()',
    kind: 'connection',
    pattern: /\bnew\s+EventSource\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  { by: 'sendBeacon()', kind: 'connection', pattern: /\.sendBeacon\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g },
  {
    by: 'XMLHttpRequest.open()',
    kind: 'connection',
    pattern: /\.open\(\s*["'`](?:GET|POST|PUT|PATCH|DELETE|HEAD)["'`]\s*,\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/gi,
  },
  {
    by: 'new WebTransport()',
    kind: 'connection',
    pattern: /\bnew\s+WebTransport\(\s*(["'`])([^"'`\s]+?)(?:\1|\$\{)/g,
  },
  { by: 'addModule()', kind: 'script', pattern: /\.addModule\(\s*(["'`])([^"'`\s]+?)\1/g },
  { by: 'import()', kind: 'script', pattern: /\bimport\(\s*(["'`])([^"'`\s]+?)\1/g },
  { by: 'import', kind: 'script', pattern: /\b(?:from|import)\s*(["'])((?:https?:|\.{0,2}\/)[^"'\s]+?)\1/g },
];

/** Finds the literal URLs that a script may load, whether or not it ever does. */
function findScriptLoads(script: string): readonly PageLoad[] {
  return CALLS.flatMap(({ by, kind, pattern }) =>
    [...script.matchAll(pattern)].map(([, , url = '']) => ({ kind, url, by, isCertain: false })),
  );
}

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
    ...[...element.attributes].flatMap(([name, code]) =>
      name.startsWith('on') ? findScriptLoads(code) : [],
    ),
  ];
}

function findOwnLoads(element: PageElement, isInPicture: boolean): readonly PageLoad[] {
  const { name, text } = element;
  switch (name) {
    case 'script':
      return findScript(element);
    case 'style':
      return findStyleLoads(text, '<style>');
    case 'link':
      return findLinked(element);
    case 'img':
      return [...read(element, 'src', 'image'), ...readSet(element)];
    case 'image':
    case 'feimage':
    case 'use':
      return [...read(element, 'href', 'image'), ...read(element, 'xlink:href', 'image')];
    case 'input':
      return [
        ...(isImage(element) ? read(element, 'src', 'image') : []),
        ...findTarget(element, 'formaction'),
      ];
    case 'button':
      return findTarget(element, 'formaction');
    case 'form':
      return element.attributes.get('method')?.toLowerCase() === 'dialog'
        ? []
        : findTarget(element, 'action');
    case 'meta':
      return findRefresh(element);
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

function findScript(element: PageElement): readonly PageLoad[] {
  const { attributes } = element;
  const named = ['src', 'href', 'xlink:href'].find((attribute) => attributes.has(attribute));
  return named === undefined ? findInlineLoads(element) : read(element, named, 'script');
}

/** The kinds of `preload` links. */
const PRELOADED: Readonly<Record<string, PageLoad['kind']>> = {
  audio: 'media',
  fetch: 'connection',
  font: 'font',
  image: 'image',
  script: 'script',
  style: 'style',
  track: 'media',
  video: 'media',
  worker: 'script',
};

function findLinked(element: PageElement): readonly PageLoad[] {
  const { attributes } = element;
  const relations = listRelations(element);
  if (relations.includes('stylesheet')) {
    return relations.includes('alternate') ? [] : read(element, 'href', 'style');
  }
  if (relations.includes('modulepreload')) return read(element, 'href', 'script');
  const kind = PRELOADED[attributes.get('as')?.toLowerCase() ?? ''];
  if (!relations.includes('preload') || kind === undefined) return [];
  return [...read(element, 'href', kind), ...readSet(element, 'imagesrcset')];
}

function isImage({ attributes }: PageElement): boolean {
  return attributes.get('type')?.toLowerCase() === 'image';
}

/** It is uncertain whether a form is ever submitted, because a script may handle it instead. */
function findTarget(element: PageElement, attribute: string): readonly PageLoad[] {
  return read(element, attribute, 'navigation').map((load) => ({ ...load, isCertain: false }));
}

function findRefresh({ attributes }: PageElement): readonly PageLoad[] {
  if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return [];
  const [, url] = /^[^;,]*[;,]\s*url\s*=\s*["']?([^"']+)/i.exec(attributes.get('content') ?? '') ?? [];
  return url === undefined
    ? []
    : [{ kind: 'navigation', url, by: '<meta http-equiv=refresh>', isCertain: true }];
}

function read(
  { name, attributes }: PageElement,
  attribute: string,
  kind: PageLoad['kind'],
): readonly PageLoad[] {
  const url = attributes.get(attribute)?.trim() ?? '';
  return url === '' ? [] : [{ kind, url, by: `<${name} ${attribute}>`, isCertain: true }];
}

/** Candidates are separated by commas and spaces; URLs may contain commas, but do not end with one. */
function readSet({ name, attributes }: PageElement, attribute = 'srcset'): readonly PageLoad[] {
  const candidates = attributes.get(attribute)?.match(/[^\s,][^\s]*/g) ?? [];
  return candidates
    .map((candidate) => candidate.replace(/,+$/, ''))
    .filter((candidate) => !/^\d+(?:\.\d+)?[wxh]$/.test(candidate))
    .map((url) => ({ kind: 'image', url, by: `<${name} ${attribute}>`, isCertain: true }));
}

function listRelations({ attributes }: PageElement): readonly string[] {
  return (attributes.get('rel') ?? '').toLowerCase().split(/\s+/);
}

/** To a browser, other script types are data. */
function findInlineLoads({ attributes, text }: PageElement): readonly PageLoad[] {
  const type = (attributes.get('type') ?? '').trim().toLowerCase();
  if (type === 'importmap') return findMapped(text);
  return type === '' || type === 'module' || /(?:java|ecma)script/.test(type) ? findScriptLoads(text) : [];
}

/** An import map's modules are loaded once a script imports them. */
function findMapped(text: string): readonly PageLoad[] {
  return [...text.matchAll(/:\s*"([^"\s]+)"/g)].map(([, url = '']) => ({
    kind: 'script',
    url,
    by: 'an import map',
    isCertain: false,
  }));
}

const FONT_FACE = /@font-face\s*\{[^{}]*\}/gi;
const IMPORT = /@import\s+(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"');]+))/gi;
const ADDRESS = /\burl\(\s*(?:"([^"]*)"|'([^']*)'|([^\s"')]+))/gi;

/** Its URLs may be written without `url()`. */
const IMAGE_SET = /\bimage-set\((?:[^()]|\([^()]{0,500}\)){0,500}\)/gi;
const QUOTED = /(?<!type\(\s{0,20})(?:"([^"]*)"|'([^']*)')/g;

/** Finds what a style sheet loads. */
export function findStyleLoads(css: string, by: string): readonly PageLoad[] {
  if (!/url\(|@import|image-set\(/i.test(css)) return [];
  const plain = stripComments(css);
  const fonts = (plain.match(FONT_FACE) ?? []).flatMap((face) => readUrls(face, ADDRESS, 'font', by));
  const imports = readUrls(plain, IMPORT, 'style', by);
  const sets = (plain.match(IMAGE_SET) ?? []).flatMap((set) => readUrls(set, QUOTED, 'image', by));
  const images = readUrls(plain.replaceAll(FONT_FACE, '').replaceAll(IMPORT, ''), ADDRESS, 'image', by);
  return [...imports, ...fonts, ...images, ...sets];
}

/** Removes comments; an unclosed comment extends to the end. */
export function stripComments(css: string): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = css.indexOf('/*'); start !== -1; start = css.indexOf('/*', at)) {
    parts.push(css.slice(at, start));
    const end = css.indexOf('*/', start + 2);
    if (end === -1) return parts.join('');
    at = end + 2;
  }
  return [...parts, css.slice(at)].join('');
}

function readUrls(css: string, pattern: RegExp, kind: PageLoad['kind'], by: string): readonly PageLoad[] {
  return [...css.matchAll(pattern)].flatMap(([, double, single, bare]) => {
    const url = (double ?? single ?? bare ?? '').trim();
    return url === '' ? [] : [{ kind, url, by, isCertain: true }];
  });
}
