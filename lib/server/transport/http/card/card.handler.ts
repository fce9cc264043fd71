import { Injectable } from '@nestjs/common';
import { CATALOG_MEDIA_TYPE } from '../../../../core/protocol/server-card.js';
import { takeOver, type AdapterRequest, type AdapterResponse } from '../adapter-exchange.js';
import { openToAll } from '../metadata/open-to-all.js';
import { buildAiCatalog } from './build-ai-catalog.js';
import { CardDocument } from './card-document.js';
import { CardRoutes } from './card-routes.js';
import { ServerCardSource } from './server-card-source.js';

const MAXIMUM_AGE_SECONDS = 3600;

/** Answers requests for the card of a server, and for the catalog that names it; nothing of the application rewrites it. */
@Injectable()
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
    this.#catalog ??= new CardDocument(CATALOG_MEDIA_TYPE, buildAiCatalog(this.routes.findCatalogued()));
    send(this.#catalog, request, response);
  }
}

function send(document: CardDocument, { headers }: AdapterRequest, response: AdapterResponse): void {
  const raw = takeOver(response);
  // An interceptor of the application may have had enough of waiting, and somebody else have answered.
  if (!raw.headersSent && !raw.writableEnded) {
    openToAll(raw);
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
