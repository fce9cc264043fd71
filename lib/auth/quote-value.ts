import { shorten } from '../schema/describe-value.js';

const LONGEST = 200;

/** Writes a value of somebody else's for the log: on one line, and cut where it is long. */
export function quoteValue(value: unknown): string {
  return value === undefined ? 'absent' : shorten(JSON.stringify(value), LONGEST);
}

/** Writes values of which one was expected. */
export function quoteChoices(values: readonly unknown[]): string {
  return values.map(quoteValue).join(' or ');
}

/** Writes a URL for the log, without what may be a secret: what stands before its host and in its query. */
export function quoteUrl(url: string): string {
  if (!URL.canParse(url)) return quoteValue(url);
  const { protocol, host, pathname } = new URL(url);
  return quoteValue(`${protocol}//${host}${pathname}`);
}
