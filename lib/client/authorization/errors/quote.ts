import { findUrl } from '../../../core/oauth/find-url.js';

const LONGEST = 200;

/** Writes a text of somebody else's on one line, and cut if it is long. */
export function quoteText(text: unknown): string {
  if (text === undefined) return 'absent';
  const quoted = typeof text === 'string' ? JSON.stringify(text.slice(0, LONGEST + 1)) : `a ${typeof text}`;
  return quoted.length <= LONGEST ? quoted : `${quoted.slice(0, LONGEST)}…"`;
}

/** Writes a URL without the parts that may be secret: its user, its password, its query and its fragment. */
export function quoteUrl(url: string | URL): string {
  const found = findUrl(String(url));
  if (found === undefined) return quoteText(String(url));
  const { protocol, host, pathname } = found;
  return quoteText(`${protocol}//${host}${pathname}`);
}
