/**
 * Returns whether the resource in the metadata is the endpoint, or a parent path at the same origin. Clients accept
 * tokens only for these.
 *
 * @see MCP 2026-07-28 basic/authorization, "Canonical Server URI"
 */
export function coversEndpoint(resource: URL, endpoint: URL): boolean {
  const above = resource.pathname.endsWith('/') ? resource.pathname : `${resource.pathname}/`;
  const isAbove = `${endpoint.pathname}/`.startsWith(above);
  return resource.origin === endpoint.origin && resource.search === '' && isAbove;
}
