import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readAnchors } from './find-dead-links.js';

/** Where each page or heading that was renamed or moved is now: `page` or `page#heading`, without `.html`. */
export const REDIRECTS = join(import.meta.dirname, 'redirects.json');

/**
 * Writes a page at each old address that leads to the new one, with and without JavaScript. The theme handles headings that left a page
 * which still exists, because a server never sees the fragment of an address.
 *
 * @param {{ redirects: Record<string, string>, to: string, base: string }} site the table, the served folder, and the path of the site
 * @returns a sentence for each row that leads nowhere, or whose old address still exists
 */
export function writeRedirects({ redirects, to, base }) {
  const served = readServed(to);
  const faults = [];
  const moved = new Map();
  for (const [from, target] of Object.entries(redirects)) {
    const row = `"${from}": "${target}" in "tools/site/redirects.json"`;
    if (!served.has(target)) faults.push(`${row} leads to no page or heading`);
    if (served.has(from)) faults.push(`${row} redirects an address that still exists`);
    const [page, heading = ''] = from.split('#');
    moved.set(page, { ...moved.get(page), [heading]: locate(base, target) });
  }
  for (const [page, targets] of moved) {
    if (served.has(page)) continue;
    if (targets[''] === undefined)
      faults.push(`"tools/site/redirects.json" has no row for the page "${page}"`);
    else writePage(join(to, `${page}.html`), targets);
  }
  return faults;
}

function locate(base, target) {
  const [page, heading] = target.split('#');
  return `${base}${page}.html${heading === undefined ? '' : `#${heading}`}`;
}

/** Returns what knows whether the site has `page` or `page#heading`. It reads each page once. */
function readServed(folder) {
  const anchors = new Map();
  const read = (page) => {
    const file = join(folder, `${page}.html`);
    return existsSync(file) ? readAnchors(readFileSync(file, 'utf8')) : undefined;
  };
  return {
    has: (address) => {
      const [page, heading] = address.split('#');
      if (!anchors.has(page)) anchors.set(page, read(page));
      const found = anchors.get(page);
      return found !== undefined && (heading === undefined || found.has(heading));
    },
  };
}

function writePage(file, { '': target, ...headings }) {
  // A heading without a row keeps its name: the new page may have it too.
  const script = `location.replace(${JSON.stringify(headings)}[decodeURIComponent(location.hash.slice(1))] ?? ${JSON.stringify(target)} + ${target.includes('#') ? '""' : 'location.hash'})`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<link rel="canonical" href="${target}">
<noscript><meta http-equiv="refresh" content="0; url=${target}"></noscript>
<script>${script.replaceAll('<', '\\u003c')}</script>
</head>
<body><p>This page has moved to <a href="${target}">${target}</a>.</p></body>
</html>
`,
  );
}
