/** A page element, as described by its start tag. */
export interface PageElement {
  /** In lower case. */
  readonly name: string;
  /** By lower-case name; if a name occurs twice, the first one counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The content of an element without inner markup, such as a script. */
  readonly text: string;
  /**
   * Where its start tag begins in the page, and where the element ends: after its start tag, or after the end tag
   * that follows its content.
   */
  readonly start: number;
  readonly end: number;
}

/** Elements whose content is raw to a browser that runs scripts (HTML §13.2.5.2 ff.). */
const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

const TAG_NAME = /<([a-z][^\s/>]*)/iy;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>][^\s>]*)))?/y;
const TAG_END = /[^>]*>?/y;

/**
 * Finds the elements of a page in order, from their start tags. It builds no tree, accepts any input, and reads each
 * character a bounded number of times.
 */
export function* scanPage(html: string): Generator<PageElement> {
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      at = skipTo(html, '-->', at + 4);
      continue;
    }
    TAG_NAME.lastIndex = at;
    const [, name] = TAG_NAME.exec(html) ?? [];
    if (name === undefined) {
      at += 1;
      continue;
    }
    const element = readElement(html, { name: name.toLowerCase(), start: at, from: TAG_NAME.lastIndex });
    yield element;
    at = element.end;
  }
}

interface TagStart {
  readonly name: string;
  readonly start: number;
  /** Where its attributes begin. */
  readonly from: number;
}

function readElement(html: string, { name, start, from }: TagStart): PageElement {
  const attributes = new Map<string, string>();
  let at = from;
  for (;;) {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (found === null) break;
    at = ATTRIBUTE.lastIndex;
    const [, attribute = '', double, single, bare = ''] = found;
    const key = attribute.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeAmpersands(double ?? single ?? bare));
  }
  TAG_END.lastIndex = at;
  TAG_END.exec(html);
  const opened = TAG_END.lastIndex;
  if (!TEXT_ELEMENTS.has(name)) return { name, attributes, text: '', start, end: opened };
  const closing = findClosing(html, name, opened);
  return { name, attributes, text: html.slice(opened, closing.start), start, end: closing.end };
}

function findClosing(
  html: string,
  name: string,
  from: number,
): { readonly start: number; readonly end: number } {
  const tag = new RegExp(`</${name}[\\s/>]`, 'gi');
  tag.lastIndex = from;
  const found = tag.exec(html);
  if (found === null) return { start: html.length, end: html.length };
  return { start: found.index, end: skipTo(html, '>', found.index) };
}

/** Returns the position after the next occurrence of a string, or the end of the page. */
function skipTo(html: string, text: string, from: number): number {
  const at = html.indexOf(text, from);
  return at === -1 ? html.length : at + text.length;
}

/** The only character reference that URLs contain in practice. */
function decodeAmpersands(value: string): string {
  return value.replaceAll(/&amp;|&#38;|&#x26;/gi, '&');
}
