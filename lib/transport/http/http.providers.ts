import type { Provider } from '@nestjs/common';
import { ENDPOINT_PATH, HANDSHAKE_MESSAGES, SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { ControllerRoute } from './controller-route.js';
import { DeleteHandler } from './delete.handler.js';
import { EndpointPath } from './endpoint-path.js';
import { EndpointReport } from './endpoint-report.js';
import { EventStreams } from './event-streams.js';
import { GetHandler } from './get.handler.js';
import { HttpEdge } from './http-edge.js';
import { HttpConnections } from './http-connections.js';
import { HttpShutdown } from './http-shutdown.js';
import { HttpTransport } from './http-transport.js';
import { MetadataEdge } from './metadata-edge.js';
import { MetadataHandler } from './metadata.handler.js';
import { MetadataRoutes } from './metadata-routes.js';
import { PostHandler } from './post.handler.js';
import { SseConnections } from '../sse/sse-connections.js';
import { SseHandler } from '../sse/sse.handler.js';
import type { HandshakeMessages } from './handshake-messages.interface.js';
import { RequestDispatch } from './request-dispatch.js';
import { SessionLookup } from './session-lookup.js';
import { SessionMessages } from './session-messages.js';
import { StatelessMessages } from './stateless-messages.js';
import { StatelessReport } from './stateless-report.js';
import { Uploads } from './uploads.js';

/** What serves one server over streamable HTTP, besides its controller. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  EndpointPath,
  { provide: ENDPOINT_PATH, useExisting: EndpointPath },
  ControllerRoute,
  HttpEdge,
  EventStreams,
  SessionLookup,
  RequestDispatch,
  SessionMessages,
  StatelessMessages,
  StatelessReport,
  EndpointReport,
  {
    provide: HANDSHAKE_MESSAGES,
    useFactory: selectMessages,
    inject: [SERVER_SETTINGS, SessionMessages, StatelessMessages],
  },
  PostHandler,
  GetHandler,
  DeleteHandler,
  SseConnections,
  SseHandler,
  HttpTransport,
  HttpConnections,
  HttpShutdown,
  Uploads,
  MetadataRoutes,
  MetadataHandler,
  MetadataEdge,
];

function selectMessages(
  { stateless }: ServerSettings,
  inSessions: SessionMessages,
  withoutState: StatelessMessages,
): HandshakeMessages {
  return stateless ? withoutState : inSessions;
}
