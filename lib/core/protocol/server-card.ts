/** The media type of a server card (SEP-2127). */
export const CARD_MEDIA_TYPE = 'application/mcp-server-card+json';

/** The media type of the catalog that lists an origin's cards. */
export const CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** The suffix that is appended to an endpoint path to get its card path. */
export const CARD_SUFFIX = '/server-card';

/** The catalog path; each origin has one. */
export const CATALOG_PATH = '/.well-known/ai-catalog.json';

/** Returns an endpoint's card URL. */
export function buildCardUrl(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${CARD_SUFFIX}`;
  url.search = '';
  return url;
}

/** Returns the catalog URL for an endpoint's origin. */
export function buildCatalogUrl(endpoint: URL): URL {
  return new URL(CATALOG_PATH, endpoint);
}
