/**
 * Tells whether the resource that metadata names is an endpoint, or what is above it at the same origin: clients take tokens for both, and
 * for nothing else.
 *
 * @see MCP 2026-07-28 basic/authorization, "Canonical Server URI"
 */
export function coversEndpoint(resource: URL, endpoint: URL): boolean {
  const above = resource.pathname.endsWith('/') ? resource.pathname : `${resource.pathname}/`;
  const isAbove = `${endpoint.pathname}/`.startsWith(above);
  return resource.origin === endpoint.origin && resource.search === '' && isAbove;
}
