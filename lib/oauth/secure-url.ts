const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Tells whether a URL leads to this machine itself. */
export function isLoopbackUrl(url: string): boolean {
  return LOOPBACK_NAMES.has(new URL(url).hostname);
}

/** Tells whether a text is a URL that tokens and keys may travel by: `https`, or `http` on this machine. */
export function isSecureUrl(url: unknown): url is string {
  if (typeof url !== 'string' || !URL.canParse(url)) return false;
  const { protocol } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackUrl(url));
}
