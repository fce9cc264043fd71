/** Statuses of a URL that is, or has become, another's: nobody is there, no requests are taken, or not any more. */
const GONE: ReadonlySet<number> = new Set([404, 405, 410]);

/** Tells by the status of an answer whether the endpoint may have moved, so that its URL is worth being looked up again. */
export function isMoved(status: number): boolean {
  return GONE.has(status) || (status >= 300 && status < 400);
}
