/** Statuses of a POST at a path without an MCP endpoint. */
const NOWHERE: ReadonlySet<unknown> = new Set([404, 405, 410, 501]);

/** Returns whether the status of a POST shows that there is no MCP endpoint. */
export function isEndpointMissing(status: unknown): boolean {
  return NOWHERE.has(status);
}
