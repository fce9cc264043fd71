import type { Provider } from '@nestjs/common';
import { ENDPOINT_PATH, HANDSHAKE_MESSAGES, SERVER_SETTINGS } from '../../settings/mcp.constants.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { SseConnections } from '../sse/sse-connections.js';
import { PostForwarding } from '../sse/post-forwarding.js';
import { SseHandler } from '../sse/sse.handler.js';
import { CardEdge } from './card/card-edge.js';
import { CardHandler } from './card/card.handler.js';
import { CardRoutes } from './card/card-routes.js';
import { ServerCardSource } from './card/server-card-source.js';
import { ControllerRoute } from './edge/controller-route.js';
import { DeleteHandler } from './handlers/delete.handler.js';
import { CallRequests } from './elsewhere/call-requests.js';
import { StandingMessages } from './elsewhere/standing-messages.js';
import { HandOver } from './elsewhere/hand-over.js';
import { ForwardedStreams } from './elsewhere/forwarded-streams.js';
import { RemoteStreams } from './elsewhere/remote-streams.js';
import { EndpointPath } from './endpoint-path.js';
import { OverlappingRoutesReport } from './edge/overlapping-routes-report.js';
import { EndpointReport } from './endpoint-report.js';
import { EventStreams } from './streams/event-streams.js';
import { StandingGet } from './handlers/standing-get.js';
import { GetHandler } from './handlers/get.handler.js';
import { HttpEdge } from './edge/http-edge.js';
import { Explorer } from './explorer/explorer.js';
import { HttpConnections } from './connections/http-connections.js';
import { HttpDraining, HttpShutdown } from './http-shutdown.js';
import { HttpTransport } from './http-transport.js';
import { MetadataEdge } from './metadata/metadata-edge.js';
import { MetadataHandler } from './metadata/metadata.handler.js';
import { MetadataRoutes } from './metadata/metadata-routes.js';
import { PostHandler } from './handlers/post.handler.js';
import type { HandshakeMessages } from './handlers/handshake-messages.interface.js';
import { SessionLookup } from './handlers/session-lookup.js';
import { SessionMessages } from './handlers/session-messages.js';
import { StatelessMessages } from './handlers/stateless-messages.js';
import { OpenServerReport } from './open-server-report.js';
import { StatelessReport } from './stateless-report.js';
import { UntrustedProxyReport } from './untrusted-proxy-report.js';
import { Uploads } from './bodies/uploads.js';

/** The providers that serve one server over Streamable HTTP, in addition to its controller. */
export const HTTP_PROVIDERS: readonly Provider[] = [
  EndpointPath,
  { provide: ENDPOINT_PATH, useExisting: EndpointPath },
  ControllerRoute,
  Explorer,
  HttpEdge,
  EventStreams,
  SessionLookup,
  SessionMessages,
  UntrustedProxyReport,
  StatelessMessages,
  StatelessReport,
  EndpointReport,
  OverlappingRoutesReport,
  OpenServerReport,
  {
    provide: HANDSHAKE_MESSAGES,
    useFactory: selectMessages,
    inject: [SERVER_SETTINGS, SessionMessages, StatelessMessages],
  },
  CallRequests,
  StandingMessages,
  HandOver,
  ForwardedStreams,
  RemoteStreams,
  PostHandler,
  StandingGet,
  GetHandler,
  DeleteHandler,
  SseConnections,
  PostForwarding,
  SseHandler,
  HttpTransport,
  HttpConnections,
  HttpDraining,
  HttpShutdown,
  Uploads,
  MetadataRoutes,
  MetadataHandler,
  MetadataEdge,
  ServerCardSource,
  CardRoutes,
  CardHandler,
  CardEdge,
];

function selectMessages(
  { stateless }: ServerSettings,
  inSessions: SessionMessages,
  withoutState: StatelessMessages,
): HandshakeMessages {
  return stateless ? withoutState : inSessions;
}
