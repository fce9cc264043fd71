const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Tells whether an answer sends whoever asked elsewhere (RFC 9110 §15.4). */
export function isRedirect({ status }: Response): boolean {
  return REDIRECTS.has(status);
}
