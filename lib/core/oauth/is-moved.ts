/** Statuses of a URL without an endpoint: not found, no requests allowed, or gone. */
const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

/** Returns whether a status suggests that the endpoint has moved, so that its URL should be discovered again. */
export function isMoved(status: number): boolean {
  return GONE.has(status) || (status >= 300 && status < 400);
}
