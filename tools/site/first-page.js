/**
 * Describes the top of the first page: what this is, and the ways into it. The README follows below, without its heading.
 *
 * @param {{ name: string, description: string }} manifest
 */
export function describeFirstPage({ name, description }) {
  return {
    layout: 'home',
    title: name,
    titleTemplate: description,
    hero: {
      name,
      tagline: description,
      actions: [
        { theme: 'brand', text: 'Your first server', link: '/first-server' },
        { theme: 'alt', text: 'Getting started', link: '/getting-started' },
        { theme: 'alt', text: 'All pages', link: '/contents' },
        { theme: 'alt', text: 'API reference', link: '/api/' },
      ],
    },
  };
}
