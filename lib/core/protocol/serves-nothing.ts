/** What answers a POST at a path at which no server of MCP is. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 410, 501]);

/** Tells whether a POST with a status for an answer reached no server of MCP. */
export function servesNothing(status: unknown): boolean {
  return NOWHERE.has(status);
}
