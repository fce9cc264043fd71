import { AuditTrail } from '../audit/audit-trail.js';
import { AuthorizationRecorder } from '../audit/authorization-recorder.js';
import { LifecycleAudit } from '../audit/record-lifecycle.js';
import { McpAudit } from '../audit/mcp-audit.js';
import { RefusalRecorder } from '../audit/refusal-recorder.js';
import { DevelopmentReporter, ReturningClients } from '../development/development-reporter.js';
import { ReportedCalls } from '../development/reported-calls.js';
import { observeEndsWithoutRun } from '../extensions/tasks/running/ends-without-run.js';
import { McpStats } from '../health/mcp-stats.js';
import { McpHealthIndicator } from '../health/mcp-health-indicator.js';
import { CatalogChangeNotifier } from '../notifications/catalog-change-notifier.js';
import { McpSessions } from '../sessions/mcp-sessions.js';
import { McpInMemoryConnector } from '../transport/memory/mcp-in-memory-connector.js';
import { DuplexConnections } from '../transport/duplex/duplex-connection.js';
import { StdioTransport } from '../transport/stdio/stdio-transport.js';
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

/** All of a server's parts, in groups. */
export type Server = Awaited<ReturnType<typeof createServer>>;

type CreatedParts = Awaited<ReturnType<typeof createParts>>;

/** Creates one server. Nest's hooks run in the order of its parts. */
export async function createServer(inputs: ServerInputs, contents: CatalogContents) {
  const made = await createParts(inputs, contents);
  const services = createServices(inputs, made);
  addCallerParts(made, services.sessions);
  return {
    ...made,
    // The key order matters: the audit's hooks run before those of the parts that it reports on.
    audit: createAudit(inputs, made),
    observers: createObservers(inputs, made),
    services,
  };
}

/** Creates each group from the groups above it. */
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

/**
 * Registers the parts that hold per-caller state. Sessions come first, so that state that ends with a session is not
 * counted twice.
 */
function addCallerParts(
  { sessions, notifications, auth, tasks, http }: CreatedParts,
  ofSessions: McpSessions,
): void {
  for (const part of [ofSessions, notifications.callerRequests, auth.forgotten, tasks.ended, http.sse]) {
    sessions.callers.add(part);
  }
}

/** Creates the observers that report events outside of requests to the audit and metrics. */
function createAudit({ settings }: ServerInputs, { audit, foundation, sessions, tasks, http }: CreatedParts) {
  const { bus, telemetry } = foundation;
  const { registry } = sessions;
  const { ledger, worker, runner } = tasks;
  return {
    ...audit,
    ends: new LifecycleAudit(audit.trail, {
      sessions$: registry.ends.ends$,
      tasks$: observeEndsWithoutRun(ledger, worker, runner),
    }),
    instruments: new ServerInstruments(registry, http.streams, ledger, worker, bus, settings, telemetry),
  };
}

/** Creates the observers that notify clients and `nestjs-mcp-cli dev` of changes. */
function createObservers({ settings, identity, nest }: ServerInputs, made: CreatedParts) {
  const { registries } = made.catalog;
  const { notifier, listeners } = made.notifications;
  const { registry } = made.sessions;
  const offer = { registries, skills: made.skills.skillRegistry, events: made.events.extension };
  const use = {
    trail: made.audit.trail,
    failures: made.dispatch.failures,
    calls: new ReportedCalls(registry),
    returning: new ReturningClients(registry, listeners),
  };
  const { endpoint } = made.foundation;
  return {
    catalogChanges: new CatalogChangeNotifier(notifier, registries),
    reporter: new DevelopmentReporter(offer, use, endpoint, nest.host, settings, identity),
  };
}

/** Creates or selects the services that applications inject. */
function createServices({ settings }: ServerInputs, made: CreatedParts) {
  const { memory, bus, draining, telemetry } = made.foundation;
  const { registry, callers, ended, shared, detached, slots } = made.sessions;
  const { notifier, listeners } = made.notifications;
  const { authenticator, validators } = made.auth;
  const { connections } = made.duplex;
  const { trail, refusals } = made.audit;
  const { ledger } = made.tasks;
  const { streams } = made.http;
  const figures = new McpStats(
    { slots, sessions: registry, detached, listeners, streams },
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
    authorizations: new AuthorizationRecorder(trail, telemetry),
    connector: new McpInMemoryConnector(connections, authenticator, refusals),
    stdio: new StdioTransport(connections, authenticator, settings, made.dispatch.offer, refusals),
    health: new McpHealthIndicator(figures, ledger),
  };
}
