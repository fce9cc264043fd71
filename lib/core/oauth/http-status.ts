/** Statuses that indicate a URL without an endpoint: not found, no requests allowed, or gone. */
const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

/** Returns whether a status suggests that the endpoint has moved, so that its URL should be discovered again. */
export function isMoved(status: number): boolean {
  return GONE.has(status) || (status >= 300 && status < 400);
}

/** Statuses below 500 after which the same request may succeed later. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Returns whether retrying later may help after a response with this status (RFC 9110 §15.6, RFC 6585 §4, RFC 8470 §5.2). */
export function isTransientStatus(status: number): boolean {
  return status >= 500 || PASSING.has(status);
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns whether a status is a redirect (RFC 9110 §15.4). */
export function isRedirectStatus(status: number): boolean {
  return REDIRECTS.has(status);
}
