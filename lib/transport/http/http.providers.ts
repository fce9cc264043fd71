import type { Provider } from '@nestjs/common';
import { ENDPOINT_PATH } from '../../settings/mcp.constants.js';
import { ControllerRoute } from './controller-route.js';
import { DeleteHandler } from './delete.handler.js';
import { EndpointPath } from './endpoint-path.js';
import { EventStreams } from './event-stream-writer.js';
import { GetHandler } from './get.handler.js';
import { HttpEdge } from './http-edge.js';
import { HttpShutdown } from './http-shutdown.js';
import { HttpTransport } from './http-transport.js';
import { MetadataEdge } from './metadata-edge.js';
import { MetadataHandler } from './metadata.handler.js';
import { MetadataRoutes } from './metadata-routes.js';
import { PostHandler } from './post.handler.js';
import { SessionLookup } from './session-lookup.js';

/** What serves one server over streamable HTTP, besides its controller. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  EndpointPath,
  { provide: ENDPOINT_PATH, useExisting: EndpointPath },
  ControllerRoute,
  HttpEdge,
  EventStreams,
  SessionLookup,
  PostHandler,
  GetHandler,
  DeleteHandler,
  HttpTransport,
  HttpShutdown,
  MetadataRoutes,
  MetadataHandler,
  MetadataEdge,
];
