import type { PageLoad } from './page-load.interface.js';

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
  const fonts = (plain.match(FONT_FACE) ?? []).flatMap((face) => read(face, ADDRESS, 'font', by));
  const imports = read(plain, IMPORT, 'style', by);
  const sets = (plain.match(IMAGE_SET) ?? []).flatMap((set) => read(set, QUOTED, 'image', by));
  const images = read(plain.replaceAll(FONT_FACE, '').replaceAll(IMPORT, ''), ADDRESS, 'image', by);
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

function read(css: string, pattern: RegExp, kind: PageLoad['kind'], by: string): readonly PageLoad[] {
  return [...css.matchAll(pattern)].flatMap(([, double, single, bare]) => {
    const url = (double ?? single ?? bare ?? '').trim();
    return url === '' ? [] : [{ kind, url, by, isCertain: true }];
  });
}
