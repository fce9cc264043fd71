import type { HttpAdapterHost } from '@nestjs/core';
import { openDocuments } from '../edge/open-documents.js';
import type { CardRoutes } from './card-routes.js';

const ALLOWED_HEADERS = 'Content-Type, If-None-Match, *';

/** Lets pages of every origin read cards. */
export class CardEdge {
  constructor(routes: CardRoutes, host: HttpAdapterHost) {
    openDocuments(host, { routes, allowedHeaders: ALLOWED_HEADERS });
  }
}
