import type { HttpAdapterHost } from '@nestjs/core';
import { openDocuments } from '../edge/open-documents.js';
import type { MetadataRoutes } from './metadata-routes.js';

/** Clients send the revision that they speak, and some a token; the wildcard does not stand for that. */
const ALLOWED_HEADERS = 'MCP-Protocol-Version, Authorization, *';

/** Lets pages of every origin read the metadata. */
export class MetadataEdge {
  constructor(routes: MetadataRoutes, host: HttpAdapterHost) {
    openDocuments(host, { routes, allowedHeaders: ALLOWED_HEADERS });
  }
}
