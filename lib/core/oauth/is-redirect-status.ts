const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns whether a status is a redirect (RFC 9110 §15.4). */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}
