import type { RefusalRecorder } from '../audit/refusal-recorder.js';
import { Uploads } from '../transport/http/bodies/uploads.js';
import { CardEdge, CardRoutes } from '../transport/http/card/card-routes.js';
import { CardHandler } from '../transport/http/card/card.handler.js';
import { ServerCardSource } from '../transport/http/card/server-card-source.js';
import { HttpConnections } from '../transport/http/connections/http-connections.js';
import { ControllerRoute } from '../transport/http/edge/controller-route.js';
import { HttpEdge } from '../transport/http/edge/http-edge.js';
import {
  EndpointReport,
  OpenServerWarning,
  OverlappingRoutesWarning,
  StatelessSecretWarning,
} from '../transport/http/startup-reports.js';
import { CallRequests, StreamArchive } from '../transport/http/cluster/call-records.js';
import { ForwardedStreams } from '../transport/http/cluster/forwarded-streams.js';
import { RemoteStreams } from '../transport/http/cluster/remote-streams.js';
import { StandaloneStreamMessages } from '../transport/http/cluster/standalone-stream-messages.js';
import { Explorer } from '../transport/http/explorer/explorer.js';
import { DeleteHandler } from '../transport/http/handlers/delete.handler.js';
import { GetHandler, StandaloneStreamHandler } from '../transport/http/handlers/get.handler.js';
import { PostHandler } from '../transport/http/handlers/post.handler.js';
import { SessionLookup } from '../transport/http/handlers/session-lookup.js';
import { SessionMessages, StatelessMessages } from '../transport/http/handlers/handshake-messages.js';
import { HttpDraining, HttpShutdown } from '../transport/http/http-shutdown.js';
import { HttpTransport } from '../transport/http/http-transport.js';
import { MetadataEdge, MetadataRoutes } from '../transport/http/metadata/metadata-routes.js';
import { MetadataHandler } from '../transport/http/metadata/metadata.handler.js';
import { EventStreams } from '../transport/http/streams/event-streams.js';
import type { DuplexConnections } from '../transport/duplex/duplex-connection.js';
import { PostForwarding } from '../transport/sse/post-forwarding.js';
import { SseConnections } from '../transport/sse/sse-connections.js';
import { SseHandler } from '../transport/sse/sse.handler.js';
import type { AuthParts } from './create-auth.js';
import type { CatalogParts } from './create-catalog.js';
import type { DispatchParts } from './create-dispatch.js';
import type { FoundationParts } from './create-foundation.js';
import type { AskingParts } from './create-methods.js';
import type { NotificationParts } from './create-notifications.js';
import type { SessionParts } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';

interface HttpInputs {
  readonly foundation: FoundationParts;
  readonly catalog: CatalogParts;
  readonly sessions: SessionParts;
  readonly notifications: NotificationParts;
  readonly auth: AuthParts;
  readonly asking: AskingParts;
  readonly dispatch: DispatchParts;
  readonly connections: DuplexConnections;
  readonly refusals: RefusalRecorder;
}

/** Creates the Streamable HTTP and HTTP+SSE transports behind the controller. */
export function createHttp(inputs: ServerInputs, made: HttpInputs) {
  const { settings, identity, controllers, nest } = inputs;
  const { bus, memory, endpoint, draining } = made.foundation;
  const { registry, detached } = made.sessions;
  const { listeners } = made.notifications;
  const { challenges, proxies, check } = made.auth;
  const { dispatcher } = made.dispatch;
  const bodies = { streams: new EventStreams(settings, memory), uploads: new Uploads(settings, memory) };
  const { streams, uploads } = bodies;
  const remoteParts = createRemote(inputs, made, streams);
  const { sse, ...handlers } = createHandlers(inputs, made, { ...bodies, ...remoteParts });
  const route = new ControllerRoute(
    settings,
    controllers.endpoint,
    endpoint,
    nest.application,
    nest.modules,
    check,
    identity,
  );
  const explorer = new Explorer(settings, endpoint, nest.moduleRef);
  const edge = new HttpEdge(settings, endpoint, nest.host, made.refusals, explorer);
  const access = { check, challenges, proxies };
  const connections = new HttpConnections(nest.host, bus);
  const open = { dispatcher, listeners, detached, sessions: registry, streams, connections };
  return {
    ...remoteParts,
    streams,
    connections,
    sse,
    route,
    explorer,
    edge,
    transport: new HttpTransport(edge, handlers, endpoint, access, route, settings),
    draining: new HttpDraining(open, sse, draining),
    shutdown: new HttpShutdown(open, uploads, remoteParts.handOver),
    ...createReports(inputs, made),
  };
}

type RemoteParts = ReturnType<typeof createRemote>;

/** Creates the parts that let clients resume other processes' streams. */
function createRemote({ settings }: ServerInputs, made: HttpInputs, streams: EventStreams) {
  const { bus, owners, waits, memory } = made.foundation;
  const { registry, state } = made.sessions;
  const handOver = new StreamArchive(bus, registry);
  const calls = new CallRequests(bus);
  return {
    handOver,
    calls,
    standalone: new StandaloneStreamMessages(bus, registry, state),
    forwarded: new ForwardedStreams(bus, registry, memory, settings),
    remote: new RemoteStreams(bus, owners, waits, handOver, calls, made.auth.policy, streams),
  };
}

interface HandlerInputs extends RemoteParts {
  readonly streams: EventStreams;
  readonly uploads: Uploads;
}

/** Creates the request handlers, one per HTTP method. */
function createHandlers(
  { settings }: ServerInputs,
  made: HttpInputs,
  { streams, uploads, calls, standalone, remote }: HandlerInputs,
) {
  const { bus, owners, waits, memory, endpoint } = made.foundation;
  const { registry, shared, ended, detached, slots } = made.sessions;
  const { dispatcher, methods } = made.dispatch;
  const { policy, upstream } = made.auth;
  const lookup = new SessionLookup(registry, shared, ended);
  const messages = settings.stateless
    ? new StatelessMessages(dispatcher, detached, streams)
    : new SessionMessages(
        policy,
        dispatcher,
        made.asking.answers,
        { lookup, sessions: registry, detached },
        streams,
        { bus, calls, standalone },
      );
  const { claims, streams: standaloneStreams, views } = made.notifications;
  const standaloneGet = new StandaloneStreamHandler(claims, standaloneStreams, streams, views);
  const sources = { streams, standalone: standaloneGet, remote };
  const bodies = { uploads, memory };
  const sse = new SseConnections(made.connections, streams, slots, bus, settings, memory);
  const forwarding = new PostForwarding(bus, owners, waits, sse, memory, upstream);
  return {
    posts: new PostHandler(settings, messages, methods, dispatcher, detached, streams, bodies),
    gets: new GetHandler(lookup, sources, endpoint, policy, bus, settings),
    deletes: new DeleteHandler(lookup, shared, endpoint, settings),
    sse,
    events: new SseHandler(sse, endpoint, uploads, forwarding),
  };
}

/** Creates the reports that log how clients reach the server. */
function createReports({ settings, identity, nest }: ServerInputs, { foundation, dispatch }: HttpInputs) {
  const { endpoint } = foundation;
  return {
    stateless: new StatelessSecretWarning(settings, identity, nest.host),
    offered: new EndpointReport(dispatch.offer, endpoint, nest.host),
    overlaps: new OverlappingRoutesWarning(endpoint, nest.host),
    open: new OpenServerWarning(settings, identity, nest.host),
  };
}

/** Creates the documents that clients read before they connect: OAuth metadata and the server card. */
export function createDocuments(
  { settings, identity, controllers, nest }: ServerInputs,
  { foundation, auth }: Pick<HttpInputs, 'foundation' | 'auth'>,
) {
  const { endpoint } = foundation;
  const { resource, mirror } = auth;
  const metadataRoutes = new MetadataRoutes(
    controllers.metadata,
    settings,
    identity,
    endpoint,
    nest.modules,
    { resource, mirror },
    nest.application,
  );
  const card = new ServerCardSource(settings, identity, endpoint);
  const cardRoutes = new CardRoutes(controllers.card, card, endpoint, nest.modules, nest.application);
  return {
    metadataRoutes,
    metadataHandler: new MetadataHandler(resource, mirror),
    metadataEdge: new MetadataEdge(metadataRoutes, nest.host),
    card,
    cardRoutes,
    cardHandler: new CardHandler(card, cardRoutes),
    cardEdge: new CardEdge(cardRoutes, nest.host),
  };
}
