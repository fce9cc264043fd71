/** What no other framework has, and the page that shows it. */
const FEATURES = [
  {
    title: 'One handler for both protocols',
    details:
      'await context.elicit() asks the user in the middle of a call, with a session or without one. Clients from 2024-11-05 to 2026-07-28 use the same method.',
    link: '/input-requests',
  },
  {
    title: 'Sessions that survive kill -9',
    details:
      'Any process continues any session: streams resume elsewhere, and calls, input requests and notifications cross processes over Redis.',
    link: '/scaling',
  },
  {
    title: 'A doctor for running servers',
    details:
      'It logs in, probes proxies, CORS, metadata and tokens as clients do, and names the fix. With --production it examines the deployment too.',
    link: '/doctor',
  },
  {
    title: 'Handlers that come with tests',
    details:
      'nest generate writes a tool and its spec. Clients without a socket, tokens of any shape and matchers are part of the package.',
    link: '/testing',
  },
];

/** A block of TypeScript. */
const CODE = /^```ts[^\n]*\n[\s\S]*?^```$/m;

/** A picture on a line of its own. */
const PICTURE = /^!\[.*\]\(.*\)$/m;

/** The heading of the README whose table has the ways into the package. */
const PATHS = '## Choose your path';

/**
 * Describes the top of the first page: what this is, and the paths that the README offers.
 *
 * @param {{ name: string, description: string }} manifest
 * @param {string} readme with links of the site
 */
export function describeFirstPage({ name, description }, readme) {
  const [, paths = ''] = readme.split(PATHS);
  const links = [...paths.split('\n## ')[0].matchAll(/^\|[^|]*\| \[([^\]]+)\]\(\.\/(.+?)\.md\)/gm)];
  return {
    layout: 'home',
    title: name,
    titleTemplate: description,
    hero: {
      name,
      tagline: description,
      image: { light: '/images/logo.svg', dark: '/images/logo-dark.svg', alt: '' },
      actions: links.map(([, text, page], index) => ({
        theme: index === 0 ? 'brand' : 'alt',
        text,
        link: `/${page}`,
      })),
    },
  };
}

/**
 * Arranges the README for the first page: its first example beside what a browser shows of it, then what no other framework has, what a
 * call costs, and the rest. A README without an example stays as it is.
 *
 * @param {string} readme with links of the site
 */
export function arrangeFirstPage(readme) {
  const page = readme.replace(/^# .*\n+/, '');
  const [start, rest] = page.split(PATHS);
  const [introduction] = start.split(/^```/m);
  const [code] = CODE.exec(start) ?? [];
  const [picture] = PICTURE.exec(start) ?? [];
  if (rest === undefined || code === undefined || picture === undefined) return page;
  return `${introduction.trim()}

<div class="example">

${code}

${picture}

</div>

## What no other framework has

<div class="features">

${FEATURES.map(({ title, details, link }) => `[**${title}** ${details}](.${link}.md)`).join('\n\n')}

</div>

## What a call costs

Processor time of a tool call, as a multiple of a bare Nest controller's. [Performance](./performance.md) has the method, the other
figures and their limits; \`npm run bench\` measures them again.

![Bars: processor time of tools/call for several frameworks](./images/performance/call.svg)

${PATHS}${rest}`;
}
