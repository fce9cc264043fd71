import { findUrl } from '../../core/oauth/secure-url.js';
import { shorten } from '../schema/validation-issues.js';

const LONGEST = 200;
const DEEPEST = 3;

/** Writes a value of somebody else's for the log: on one line, and cut if it is long or deep. */
export function quoteValue(value: unknown): string {
  return value === undefined ? 'absent' : shorten(JSON.stringify(prune(value, DEEPEST)), LONGEST);
}

/** A value that is nested too deeply would make `JSON.stringify` fail. */
function prune(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => prune(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, prune(member, depth - 1)]));
}

/** Writes a list of expected values. */
export function quoteChoices(values: readonly unknown[]): string {
  return values.map(quoteValue).join(' or ');
}

/** Writes a URL for the log without the parts that may be secret: its user, its password and its query. */
export function quoteUrl(url: string): string {
  const found = findUrl(url);
  if (found === undefined) return quoteValue(url);
  const { protocol, username, password, host, pathname, search, hash } = found;
  if (username + password + search + hash === '') return quoteValue(url);
  return quoteValue(`${protocol}//${host}${pathname}`);
}
