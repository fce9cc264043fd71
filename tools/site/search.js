import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSiteAddress } from './site-address.js';

/** What readers call the subject of each page, beside the words that stand on it. */
const KEYWORDS = JSON.parse(readFileSync(join(import.meta.dirname, 'keywords.json'), 'utf8'));

const { base } = readSiteAddress(process.env);

/**
 * The search of the site. Guides come before the API reference, a page is found by any common name of its subject, and a message that is
 * pasted whole finds its heading.
 *
 * Browsers receive these functions as source text, so each is self-contained; `extractField` runs only when the site is built.
 */
export const SEARCH = {
  provider: 'local',
  options: {
    miniSearch: {
      options: {
        fields: ['title', 'titles', 'text', 'keywords', 'heading'],
        extractField: (section, field) => {
          if (field === 'keywords') return findKeywords(section);
          return section[field === 'heading' ? 'title' : field];
        },
        // A heading is one token beside its words, and so is a query, which has no field. The sign keeps it apart from words it begins with.
        tokenize: (text, field) => {
          // The index holds HTML, in which quotes of code are entities.
          const words = text
            .split(/(?:&(?:quot|lt|gt|amp);|[\n\r\p{Z}\p{P}])+/u)
            .filter((word) => word !== '');
          const phrase = words.length > 1 ? [`=${words.join(' ')}`] : [];
          if (field === 'heading') return phrase;
          return field === undefined ? [...words, ...phrase] : words;
        },
        processTerm: (term) => {
          const word = term.toLowerCase();
          const isEmpty =
            /^(?:an?|and|are|as|at|be|by|can|do|does|for|from|how|i|if|in|is|it|my|of|on|or|the|to|what|with)$/;
          // "throttle", "throttles", "throttled" and "throttling" are one word.
          return isEmpty.test(word) ? null : word.replace(/(?<=\w{3})(?:ies|ing|ed|es|s|e|y)$/, '');
        },
      },
      searchOptions: {
        prefix: (term) => term.length > 2,
        fuzzy: (term) => (term.length > 4 && !term.startsWith('=') ? 0.2 : false),
        weights: { prefix: 0.375, fuzzy: 0.15 },
        boost: { heading: 10, title: 4, keywords: 6, titles: 1, text: 1 },
        boostDocument: (id, term, section) => {
          const isWholePage = section.titles.length === 0;
          // The values in a message differ, so it is rarely the whole heading.
          if (id.includes('/troubleshooting.html#') && section.titles.length > 1) return 1.5;
          // One word of a message must not hide the guide to its subject.
          if (id.includes('/messages.html')) return 0.9;
          // Many pages have the same headings, such as "Several processes".
          if (term.startsWith('=') && section.titles.length > 0) return 0.2;
          if (id.includes('/api/')) return isWholePage ? 0.5 : 0.1;
          if (/\/(?:architecture|dependencies|performance-figures)\.html/.test(id)) return 0.2;
          if (
            /\/(?:configuration|comparison|glossary|lint|troubleshooting|wire)\.html|\/migration\//.test(id)
          )
            return isWholePage ? 1 : 0.6;
          return isWholePage ? 1.7 : 1;
        },
      },
    },
  },
};

/** Lists the pages with keywords that the site does not have. */
export function findStrayKeywords(served) {
  return Object.keys(KEYWORDS)
    .filter((page) => !existsSync(join(served, `${page}.html`)))
    .map((page) => `"${page}" in "tools/site/keywords.json" is no page`);
}

/** Keywords belong to the first section of their page. */
function findKeywords({ id, titles }) {
  if (titles.length > 0) return undefined;
  return KEYWORDS[id.slice(base.length).replace(/(?:\.html)?(?:#.*)?$/, '')];
}
