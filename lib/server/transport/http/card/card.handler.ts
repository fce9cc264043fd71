import { buildCardUrl, CARD_MEDIA_TYPE, CATALOG_MEDIA_TYPE } from '../../../../core/protocol/server-card.js';
import { getRawResponse, type AdapterRequest, type AdapterResponse } from '../http-exchange.js';
import { allowAnyOrigin } from '../edge/document-routes.js';
import { findPublisher } from './server-card.js';
import { CardDocument, type ServerCardSource } from './server-card-source.js';
import type { CardRoutes } from './card-routes.js';

const MAXIMUM_AGE_SECONDS = 3600;

/** Serves a server's card, and the catalog. Nothing in the application rewrites them. */
export class CardHandler {
  #catalog: CardDocument | undefined;

  constructor(
    private readonly source: ServerCardSource,
    private readonly routes: CardRoutes,
  ) {}

  sendCard(request: AdapterRequest, response: AdapterResponse): void {
    send(this.source.document, request, response);
  }

  sendCatalog(request: AdapterRequest, response: AdapterResponse): void {
    this.#catalog ??= new CardDocument(CATALOG_MEDIA_TYPE, buildAiCatalog(this.routes.findCatalogSources()));
    send(this.#catalog, request, response);
  }
}

function send(document: CardDocument, { headers }: AdapterRequest, response: AdapterResponse): void {
  const raw = getRawResponse(response);
  // An interceptor may have timed out, or something else may have responded.
  if (!raw.headersSent && !raw.writableEnded) {
    allowAnyOrigin(raw);
    raw.setHeader('Access-Control-Expose-Headers', 'ETag');
    raw.setHeader('Cache-Control', `public, max-age=${MAXIMUM_AGE_SECONDS}`);
    raw.setHeader('ETag', document.entityTag);
    raw.statusCode = document.isKnown(headers['if-none-match']?.toString()) ? 304 : 200;
    if (raw.statusCode === 304) {
      raw.end();
    } else {
      raw.setHeader('Content-Type', document.mediaType);
      raw.setHeader('Content-Length', Buffer.byteLength(document.text));
      raw.end(document.text);
    }
  }
  response.hijack?.();
}

/** A catalog entry. It contains the card itself if its URL is unknown. */
type CatalogEntry = { readonly identifier: string; readonly type: string } & (
  { readonly url: string } | { readonly data: object }
);

/**
 * Builds the catalog of an application's servers.
 *
 * @see experimental-ext-server-card, docs/discovery.md; the specification "AI Catalog" 1.0
 */
function buildAiCatalog(sources: readonly ServerCardSource[]): object {
  const taken = new Set<string>();
  const entries = sources.map((source): CatalogEntry => {
    const identifier = formatIdentifier(source, taken);
    taken.add(identifier);
    const { publicUrl } = source.settings;
    const place = publicUrl ? { url: buildCardUrl(publicUrl).href } : { data: source.card };
    return { identifier, type: CARD_MEDIA_TYPE, ...place };
  });
  return { specVersion: '1.0', entries };
}

/** Servers with the same name are distinguished by their keys. */
function formatIdentifier({ card, identity }: ServerCardSource, taken: ReadonlySet<string>): string {
  const [, name = ''] = card.name.split('/');
  const identifier = `urn:air:${findPublisher(card.name)}:mcp:${name}`;
  return taken.has(identifier) ? `${identifier}-${identity.server}` : identifier;
}
