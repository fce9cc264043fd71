import type { AuditTrail } from '../audit/audit-trail.js';
import { ResponseBuilder } from '../dispatch/response-builder.js';
import { ExtensionHandles, McpExtensions } from '../dispatch/mcp-extensions.js';
import { FailureMapper } from '../dispatch/failure-mapper.js';
import { HostedCalls } from '../dispatch/hosted-calls.js';
import { IncomingNotifications, SessionBroadcasts } from '../dispatch/incoming-notifications.js';
import { MethodTable } from '../dispatch/method-table.js';
import { ServedHandlersReport } from '../dispatch/served-handlers-report.js';
import { RequestDispatcher } from '../dispatch/request-dispatcher.js';
import { createSteps } from '../dispatch/steps.js';
import type { AuthParts } from './create-auth.js';
import type { CatalogParts } from './create-catalog.js';
import type { FoundationParts } from './create-foundation.js';
import type { AskingParts, LimitParts, MethodParts } from './create-methods.js';
import type { NotificationParts } from './create-notifications.js';
import type { SessionParts } from './create-sessions.js';
import type { ServerInputs } from './server-inputs.js';

export type DispatchParts = ReturnType<typeof createDispatch>;

interface DispatchInputs {
  readonly foundation: FoundationParts;
  readonly catalog: CatalogParts;
  readonly sessions: SessionParts;
  readonly notifications: NotificationParts;
  readonly auth: AuthParts;
  readonly asking: AskingParts;
  readonly limiting: LimitParts;
  readonly methods: MethodParts;
  readonly trail: AuditTrail;
}

/** Creates the request dispatcher and registers extensions. */
export function createDispatch(
  { settings, identity }: ServerInputs,
  { foundation, catalog, sessions, notifications, auth, asking, limiting, methods, trail }: DispatchInputs,
) {
  const { telemetry, bus, sealer, states } = foundation;
  const { registries, visibility, forwarded } = catalog;
  const { registry, updates } = sessions;
  const { publisher, subscriptions } = notifications;
  const { capabilities, interceptors } = methods;
  const { tracing, policy } = auth;
  const { throttling } = limiting;
  const table = new MethodTable(methods.methods);
  const incoming = new IncomingNotifications(
    registry,
    settings,
    new SessionBroadcasts(bus, registry, updates),
  );
  const observed = { telemetry, tracing, trail, sessions: registry, methods: table, incoming };
  const judged = { registries, visibility, forwarded, policy, throttling };
  const steps = createSteps({ settings, ...observed, ...judged });
  const failures = new FailureMapper(settings);
  const answers = new ResponseBuilder(failures, settings);
  const dispatcher = new RequestDispatcher(
    steps,
    table,
    answers,
    incoming,
    asking.inputRequesters,
    settings,
    states,
  );
  const calls = new HostedCalls(dispatcher, auth.challenges, auth.upstream);
  const outlets = new ExtensionHandles(publisher, calls, sealer, subscriptions);
  return {
    steps,
    methods: table,
    failures,
    dispatcher,
    offer: new ServedHandlersReport(identity, registries, table, catalog.invoker),
    extensions: new McpExtensions(
      capabilities,
      catalog.addedScopes,
      table,
      incoming,
      subscriptions,
      interceptors,
      outlets,
      settings,
    ),
  };
}
