import { findUrl } from './find-url.js';

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Tells whether a URL leads to this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_NAMES.has(new URL(url).hostname);
}

/** Tells whether a text is a URL that tokens and keys may travel by: `https`, or `http` on this machine. */
export function isSecureUrl(url: unknown): url is string {
  const found = typeof url === 'string' ? findUrl(url) : undefined;
  if (found === undefined) return false;
  return found.protocol === 'https:' || (found.protocol === 'http:' && LOOPBACK_NAMES.has(found.hostname));
}
