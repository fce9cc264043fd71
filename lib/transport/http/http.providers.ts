import type { Provider } from '@nestjs/common';
import { ControllerRoute } from './controller-route.js';
import { DeleteHandler } from './delete.handler.js';
import { EndpointPath } from './endpoint-path.js';
import { EventStreams } from './event-stream-writer.js';
import { GetHandler } from './get.handler.js';
import { HttpEdge } from './http-edge.js';
import { HttpShutdown } from './http-shutdown.js';
import { HttpTransport } from './http-transport.js';
import { PostHandler } from './post.handler.js';
import { SessionLookup } from './session-lookup.js';

/** What serves one server over streamable HTTP, besides its controller. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  EndpointPath,
  ControllerRoute,
  HttpEdge,
  EventStreams,
  SessionLookup,
  PostHandler,
  GetHandler,
  DeleteHandler,
  HttpTransport,
  HttpShutdown,
];
