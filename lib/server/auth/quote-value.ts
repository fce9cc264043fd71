import { findUrl } from '../../core/oauth/secure-url.js';
import { shorten } from '../schema/validation-issues.js';

const LONGEST = 200;
const DEEPEST = 3;

/** Formats an untrusted value for the log: on one line, and truncated if it is long or deep. */
export function quoteValue(value: unknown): string {
  return value === undefined ? 'absent' : shorten(JSON.stringify(prune(value, DEEPEST)), LONGEST);
}

/** Deeply nested values would make `JSON.stringify` fail. */
function prune(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => prune(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, prune(member, depth - 1)]));
}

/** Formats a list of expected values. */
export function quoteChoices(values: readonly unknown[]): string {
  return values.map(quoteValue).join(' or ');
}

/** Formats a URL for the log, without the parts that may be secret: user, password and query. */
export function quoteUrl(url: string): string {
  const found = findUrl(url);
  if (found === undefined) return quoteValue(url);
  const { protocol, username, password, host, pathname, search, hash } = found;
  if (username + password + search + hash === '') return quoteValue(url);
  return quoteValue(`${protocol}//${host}${pathname}`);
}
