import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { slug } from 'github-slugger';
import { readRepositoryUrl } from '../../release/addresses.js';
import { readOutline } from '../outline.js';
import { API, API_NAVIGATION, MADE, PAGES, ROOT, SERVED } from '../places.js';
import { buildApiSidebar, buildSidebar } from '../sidebar.js';
import { SEARCH } from '../search.js';
import { readSiteAddress } from '../site-address.js';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { origin, base } = readSiteAddress(process.env);

export default {
  title: manifest.name,
  description: manifest.description,
  lang: 'en',
  base,
  srcDir: PAGES,
  outDir: SERVED,
  cacheDir: join(MADE, 'cache'),
  // What all pages share is one file rather than a part of each.
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}images/logo.svg` }]],
  ...(origin === undefined ? {} : { sitemap: { hostname: `${origin}${base}` } }),
  markdown: {
    // The others are too pale to be read by everyone.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // Links between pages name parts as the repository shows them.
    anchor: { slugify: slug },
    // Braces and colons mean nothing there either.
    attrs: { disable: true },
    config: (md) => {
      keepText(md);
      labelCells(md);
      nameBlocks(md);
    },
  },
  themeConfig: {
    logo: { light: '/images/logo.svg', dark: '/images/logo-dark.svg', alt: '' },
    nav: [
      { text: 'Documentation', link: '/contents' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'API reference', link: `/${API}/` },
      { text: 'Repository', link: readRepositoryUrl(manifest) },
    ],
    sidebar: {
      '/': buildSidebar(readOutline(ROOT)),
      [`/${API}/`]: buildApiSidebar(JSON.parse(readFileSync(API_NAVIGATION, 'utf8'))),
    },
    outline: [2, 3],
    externalLinkIcon: true,
    search: SEARCH,
    editLink: {
      text: 'Edit this page',
      pattern: ({ frontmatter }) => frontmatter.source,
    },
  },
};

/** Has text as it is written: no emoji for names between colons, and no template between braces. */
function keepText(md) {
  md.core.ruler.disable('emoji');
  const { text } = md.renderer.rules;
  md.renderer.rules.text = (...args) => text(...args).replaceAll('{{', '&#123;&#123;');
}

/** Gives each cell the heading of its column, for narrow screens, where a row is a list. */
function labelCells(md) {
  md.core.ruler.push('label-cells', ({ tokens }) => {
    let labels = [];
    let column = 0;
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'table_open') labels = [];
      if (token.type === 'tr_open') column = 0;
      if (token.type === 'th_open') labels.push(readText(tokens[index + 1]));
      if (token.type === 'td_open') token.attrSet('data-label', labels[column++] ?? '');
    }
  });
}

/** Shows the file name that a block of code has on its first line, as in "ts file=app.module.ts". */
function nameBlocks(md) {
  const { fence } = md.renderer.rules;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [, name] = / file=(\S+)/.exec(tokens[index].info) ?? [];
    const block = fence(tokens, index, ...rest);
    return name === undefined ? block : `<p class="file-name">${md.utils.escapeHtml(name)}</p>${block}`;
  };
}

function readText({ children }) {
  return children.map(({ content }) => content).join('');
}
