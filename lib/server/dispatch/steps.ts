import type { AuditTrail } from '../audit/audit-trail.js';
import type { AccessPolicy } from '../auth/access/access-policy.js';
import type { Registries } from '../catalog/registries.js';
import type { ForwardedCalls } from '../catalog/search/listed-tools.js';
import type { Visibility } from '../catalog/visibility/visibility.js';
import type { Throttling } from '../limits/throttling.js';
import type { SessionRegistry } from '../sessions/session-registry.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { RequestTracing } from '../telemetry/request-tracing.js';
import type { ServerTelemetry } from '../telemetry/server-telemetry.js';
import type { IncomingNotifications } from './incoming-notifications.js';
import type { MethodTable } from './method-table.js';
import type { Step } from './step.js';
import { AuditStep } from './steps/audit.js';
import { TelemetryStep } from './steps/telemetry.js';
import {
  HandlerRateLimitStep,
  MethodRateLimitStep,
  ShutdownStep,
  MetaSizeStep,
  DuplicateIdStep,
  InFlightLimitStep,
} from './steps/request-limits.js';
import {
  AuthorizationStep,
  ArgumentScopesStep,
  DeclaredScopesStep,
  EntryVisibilityStep,
} from './steps/authorization.js';

/** The parts that the steps use. */
export interface StepParts {
  readonly settings: ServerSettings;
  readonly telemetry: ServerTelemetry | undefined;
  readonly tracing: RequestTracing | undefined;
  readonly trail: AuditTrail;
  readonly registries: Registries;
  readonly visibility: Visibility;
  readonly forwarded: ForwardedCalls;
  readonly policy: AccessPolicy;
  readonly throttling: Throttling;
  readonly sessions: SessionRegistry;
  readonly methods: MethodTable;
  readonly incoming: IncomingNotifications;
}

/**
 * Creates the steps that each request passes before its method, in order. The same steps apply to HTTP, HTTP+SSE,
 * stdio, in-memory connections and extensions' calls. A step is skipped until an option, a handler or a subscriber
 * needs it.
 *
 * The steps' functions run in phases, each phase for all steps in this order: `rewrite` and `open`, `begin`,
 * `refuse`, then `admit` and `authorize`. `end` runs in reverse. A rejected call has therefore begun in all steps
 * that observe it.
 *
 * A method that the revision lacks is rejected as unknown after `begin`, whatever the caller's access: `refuse`, `admit` and
 * `authorize` are skipped.
 *
 * `AuthorizationStep` and all steps from `MetaSizeStep` on authorize a batch's requests before any of them runs. If
 * one of them may not run, none does. A failure there that concerns only one request, such as its rate limit, becomes
 * the response to that request, and the others are authorized without it. A single request is a batch of one.
 */
export function createSteps(parts: StepParts): readonly Step[] {
  const { settings, telemetry, tracing, trail, visibility, forwarded, policy, throttling } = parts;
  const { sessions, methods, incoming } = parts;
  const { tools, resources, templates, prompts } = parts.registries;
  const entries = new EntryVisibilityStep(visibility, tools, resources, templates, prompts, settings);
  return [
    // Starts the span in which all steps below run. Ends it with the response that is sent.
    new TelemetryStep(telemetry, methods, tools, prompts, incoming, tracing),
    // Replaces a `catalog.search.callTool` call with the tool call that it forwards, which all steps below see.
    forwarded,
    // Authorizes the caller. Always rejects a missing token, and a missing scope unless the decision depends on
    // visibility or arguments. Such a rejection does not count toward any limit.
    new AuthorizationStep(policy, entries),
    // Rejects everything while the server shuts down.
    new ShutdownStep(),
    // Rejects an id that a running request already has.
    new DuplicateIdStep(),
    // Enforces the limit of concurrent requests per session or connection.
    new InFlightLimitStep(settings),
    // Reserves space for the event, if events are required. Replaces the response if the event cannot be stored.
    new AuditStep(trail, incoming, sessions),
    // From here on the request runs: it can be cancelled, and a step's error becomes the response. Rejects a "_meta" that
    // exceeds the memory limit.
    new MetaSizeStep(),
    // Counts the request before the steps below, which may consult the application.
    new MethodRateLimitStep(methods, throttling, settings),
    // Determines which requested entries the caller sees. From here on, the others do not exist: counting them, or
    // rejecting them for missing scopes, would reveal them.
    entries,
    // Rejects missing declared scopes, where the decision depends on visibility.
    new DeclaredScopesStep(policy, entries),
    // Counts the handler call.
    new HandlerRateLimitStep(throttling),
    // Resolves the scopes that the arguments require, and rejects missing ones. The handler reuses the parsed arguments.
    new ArgumentScopesStep(policy, settings),
    // The method is next. Its handler is wrapped in the timeout and then the concurrency limit that it declares.
  ];
}
