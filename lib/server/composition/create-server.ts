import { AuditTrail } from '../audit/audit-trail.js';
import { McpAudit } from '../audit/mcp-audit.js';
import { RefusalRecorder } from '../audit/refusal-recorder.js';
import { DevelopmentReporter, ReturningClients } from '../development/development-reporter.js';
import { ReportedCalls } from '../development/reported-calls.js';
import { McpStats } from '../health/mcp-stats.js';
import { McpHealthIndicator } from '../health/mcp-health-indicator.js';
import { CatalogAnnouncer } from '../notifications/catalog-announcer.js';
import { McpSessions } from '../sessions/mcp-sessions.js';
import { McpInMemoryConnector } from '../transport/memory/mcp-in-memory-connector.js';
import { DuplexConnections } from '../transport/duplex/duplex-connection.js';
import { StdioTransport } from '../transport/stdio/stdio-transport.js';
import { AuditedEnds } from './audited-ends.js';
import { createAuth } from './create-auth.js';
import { createCatalog, type CatalogContents } from './create-catalog.js';
import { createDispatch } from './create-dispatch.js';
import { createExtensions } from './create-extensions.js';
import { createFoundation } from './create-foundation.js';
import { createDocuments, createHttp } from './create-http.js';
import { createAsking, createLimits, createMethods } from './create-methods.js';
import { createNotifications } from './create-notifications.js';
import { createSessions } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';
import { ServerInstruments } from './server-instruments.js';

/** All parts of one server, by subject. */
export type Server = Awaited<ReturnType<typeof createServer>>;

type Made = Awaited<ReturnType<typeof createParts>>;

/** Makes one server. The order of its parts is that in which their hooks are called. */
export async function createServer(inputs: ServerInputs, contents: CatalogContents) {
  const made = await createParts(inputs, contents);
  const services = createServices(inputs, made);
  addCallerParts(made, services.sessions);
  return {
    ...made,
    // It keeps its position in the order, before what it reports.
    audit: createAudit(inputs, made),
    observers: createObservers(inputs, made),
    services,
  };
}

/** Makes each subject with those above it. */
async function createParts(inputs: ServerInputs, contents: CatalogContents) {
  const { settings, identity } = inputs;
  const catalog = createCatalog(inputs, contents);
  const foundation = await createFoundation(inputs, contents);
  const sessions = createSessions(inputs, foundation);
  const notifications = createNotifications(inputs, foundation, catalog, sessions);
  const ground = { catalog, foundation, sessions, notifications };

  const { bus, telemetry } = foundation;
  const trail = new AuditTrail(settings, identity, bus, telemetry);
  const refusals = new RefusalRecorder(trail, catalog.forwarded, telemetry);

  const auth = await createAuth(inputs, { ...ground, refusals });
  const asking = createAsking(inputs, foundation, sessions);
  const limiting = createLimits(inputs, catalog);
  const { limits } = limiting;
  const methods = await createMethods(inputs, { ...ground, asking, limits });
  const dispatch = createDispatch(inputs, { ...ground, auth, asking, limiting, methods, trail });
  const extensions = createExtensions(inputs, { ...ground, dispatch, limits });

  const connections = new DuplexConnections({
    dispatcher: dispatch.dispatcher,
    methods: dispatch.methods,
    capabilities: methods.capabilities,
    listeners: notifications.listeners,
    sessions: sessions.registry,
    detached: sessions.detached,
    memory: foundation.memory,
    refusals,
    audit: trail,
    settings,
  });
  const http = createHttp(inputs, { ...ground, auth, asking, dispatch, connections, refusals });
  return {
    ...ground,
    audit: { trail, refusals },
    auth,
    asking,
    limiting,
    methods,
    steps: dispatch.steps,
    dispatch,
    ...extensions,
    duplex: { connections },
    http,
    documents: createDocuments(inputs, { foundation, auth }),
  };
}

/** Names what has something of callers, and ends it with them. Sessions come first: what ends with them is not counted again. */
function addCallerParts({ sessions, notifications, auth, tasks, http }: Made, ofSessions: McpSessions): void {
  for (const part of [ofSessions, notifications.ended, auth.forgotten, tasks.ended, http.sse]) {
    sessions.callers.add(part);
  }
}

/** Makes what tells the audit, and metrics, of what happens without a request. */
function createAudit({ settings }: ServerInputs, { audit, foundation, sessions, tasks, http }: Made) {
  const { bus, telemetry } = foundation;
  const { registry } = sessions;
  const { ledger, holder, runner } = tasks;
  return {
    ...audit,
    ends: new AuditedEnds(audit.trail, registry, ledger, runner, holder),
    instruments: new ServerInstruments(registry, http.streams, ledger, holder, bus, settings, telemetry),
  };
}

/** Makes what tells clients, and `nestjs-mcp-cli dev`, of changes. */
function createObservers({ settings, identity, nest }: ServerInputs, made: Made) {
  const { registries } = made.catalog;
  const { notifier, listeners } = made.notifications;
  const { registry } = made.sessions;
  const offer = { registries, skills: made.skills.shelf, events: made.events.extension };
  const use = {
    trail: made.audit.trail,
    failures: made.dispatch.failures,
    calls: new ReportedCalls(registry),
    returning: new ReturningClients(registry, listeners),
  };
  const { endpoint } = made.foundation;
  return {
    announcer: new CatalogAnnouncer(notifier, registries),
    reporter: new DevelopmentReporter(offer, use, endpoint, nest.host, settings, identity),
  };
}

/** Makes, or selects, what applications inject. */
function createServices({ settings }: ServerInputs, made: Made) {
  const { memory, bus, draining } = made.foundation;
  const { registry, callers, ended, shared, detached, places } = made.sessions;
  const { notifier, listeners } = made.notifications;
  const { authenticator, validators } = made.auth;
  const { connections } = made.duplex;
  const { trail, refusals } = made.audit;
  const { ledger } = made.tasks;
  const { streams } = made.http;
  const figures = new McpStats(
    { places, sessions: registry, detached, listeners, streams },
    memory,
    { validators, bus, draining, audit: trail },
    settings,
  );
  return {
    notifier,
    authenticator,
    figures,
    extensions: made.dispatch.extensions,
    tasks: made.tasks.tasks,
    events: made.events.events,
    sessions: new McpSessions(registry, bus, callers, ended, shared, settings),
    audit: new McpAudit(trail),
    connector: new McpInMemoryConnector(connections, authenticator, refusals),
    stdio: new StdioTransport(connections, authenticator, settings, made.dispatch.offer, refusals),
    health: new McpHealthIndicator(figures, ledger),
  };
}
