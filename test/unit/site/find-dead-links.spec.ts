import { afterEach, describe, expect, it } from '@jest/globals';
import { SiteFolder } from './site-folder.js';

let folder: SiteFolder;
afterEach(() => folder.remove());

/** Looks at a site below `/books/` that has a page with a part, and another with what is given. */
function findFaults(body: string, files: Readonly<Record<string, string>> = {}): readonly string[] {
  folder = new SiteFolder({
    'index.html': '<a href="/books/">home</a>',
    'shelves.html': '<h2 id="a&amp;b" tabindex="-1">A</h2><h2 id="é">É</h2>',
    'branches/north.html': body,
    'shelf.svg': '<svg/>',
    ...files,
  });
  return folder.call('find-dead-links.js', 'findDeadLinks', folder.path, '/books/') as readonly string[];
}

describe('The check of links', () => {
  it.each([
    '<a href="../shelves.html">a page</a>',
    '<a class="x" href="/books/shelves.html#a&amp;b">a part</a>',
    '<a href="/books/shelves.html#%C3%A9">a part in another alphabet</a>',
    '<a href="#own">its own part</a><i id="own"></i>',
    '<a href="/books/">the first page</a>',
    '<a href="/books/#">the top</a>',
    '<img src="/books/shelf.svg"><img src="data:image/png;base64,AA">',
    '<a href="https://example.com/gone.html">another site</a><a href="mailto:ada@example.com">mail</a>',
  ])('passes %s', (body) => {
    expect(findFaults(body)).toEqual([]);
  });

  it.each([
    ['a page', '<a href="gone.html">', 'gone.html', 'is not there'],
    ['a part', '<a href="../shelves.html#c">', '../shelves.html#c', 'has no such part'],
    ['a part of the page itself', '<a href="#c">', '#c', 'has no such part'],
    ['a picture', '<img alt="" src="/books/gone.png">', '/books/gone.png', 'is not there'],
    ['what is above the site', '<a href="/shelves.html">', '/shelves.html', 'is outside of "/books/"'],
    [
      'a script of others',
      '<script src="https://cdn.example.com/a.js">',
      'https://cdn.example.com/a.js',
      'is of another origin',
    ],
    [
      'a font of others',
      '<link rel="preload" href="//fonts.example.com/a">',
      '//fonts.example.com/a',
      'is of another origin',
    ],
  ])('finds %s', (_, body, target, fault) => {
    expect(findFaults(body)).toEqual([`"branches/north.html" leads to "${target}", which ${fault}`]);
  });

  it('follows stylesheets', () => {
    const style =
      "@import 'https://a.example.com/a.css'; @font-face { src: url( gone.woff2 ), url(data:font/woff2,AA) }";
    expect(findFaults('', { 'a.css': style })).toEqual([
      '"a.css" leads to "https://a.example.com/a.css", which is of another origin',
      '"a.css" leads to "gone.woff2", which is not there',
    ]);
  });

  it('follows the Markdown of pages, and the list for models', () => {
    const files = {
      'shelves.html.md': '[a](./gone.html.md)',
      'llms.txt': '- [a](/books/gone.html.md): gone',
    };
    expect(findFaults('', files)).toEqual([
      '"llms.txt" leads to "/books/gone.html.md", which is not there',
      '"shelves.html.md" leads to "./gone.html.md", which is not there',
    ]);
  });
});
