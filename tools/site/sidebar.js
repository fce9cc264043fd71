import { API } from './places.js';
import { INDEX } from './outline.js';

const REFERENCE = { text: 'API reference', link: `/${API}/` };

/**
 * Builds the sidebar of the pages: a part for each section of the index, whose groups can be opened.
 *
 * @param {object} outline as `readOutline` gives it
 */
export function buildSidebar({ pages, sections }) {
  const parts = sections.map(({ title, items, groups }) => ({
    text: title,
    items: [
      ...items.map(buildItem),
      ...groups.map((group) => ({ text: group.title, collapsed: true, items: group.items.map(buildItem) })),
    ],
  }));
  const index = pages.find(({ source }) => source === INDEX);
  return [{ text: 'All pages', link: findAddress(index.path) }, ...parts, REFERENCE];
}

function buildItem({ title, page, hash, inside }) {
  const item = { text: title, link: `${findAddress(page.path)}${hash}` };
  if (inside.length === 0) return item;
  return {
    ...item,
    collapsed: true,
    items: inside.map((one) => ({ text: one.title, link: findAddress(one.path) })),
  };
}

/**
 * Builds the sidebar of the API reference: a part for each entry of the package, with what it exports by kind.
 *
 * @param {object[]} navigation as TypeDoc lists it
 */
export function buildApiSidebar(navigation) {
  return [REFERENCE, ...navigation.map(buildApiItem)];
}

function buildApiItem({ title, path, children }) {
  return {
    text: title,
    ...(path ? { link: findAddress(`${API}/${path}`) } : {}),
    ...(children ? { collapsed: true, items: children.map(buildApiItem) } : {}),
  };
}

function findAddress(path) {
  return `/${path.replace(/\.md$/, '').replace(/(^|\/)index$/, '$1')}`;
}
