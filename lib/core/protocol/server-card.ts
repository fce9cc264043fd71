/** The type of a server card (SEP-2127). */
export const CARD_MEDIA_TYPE = 'application/mcp-server-card+json';

/** The type of the catalog that names the cards of an origin. */
export const CATALOG_MEDIA_TYPE = 'application/ai-catalog+json';

/** The suffix of a card's path after the path of its endpoint. */
export const CARD_SUFFIX = '/server-card';

/** The path of the catalog; each origin has one. */
export const CATALOG_PATH = '/.well-known/ai-catalog.json';

/** Returns the URL of the card of an endpoint. */
export function buildCardUrl(endpoint: URL): URL {
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}${CARD_SUFFIX}`;
  url.search = '';
  return url;
}

/** Returns the URL of the catalog of an endpoint's origin. */
export function buildCatalogUrl(endpoint: URL): URL {
  return new URL(CATALOG_PATH, endpoint);
}
