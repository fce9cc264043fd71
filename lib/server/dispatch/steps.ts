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

/** What the steps ask. */
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
 * Makes the steps that each request passes before its method, in their order. HTTP, HTTP+SSE, stdio, memory and calls that
 * extensions host pass the same ones. A step that nothing needs is left out, until an option, a handler or a subscriber
 * needs it.
 *
 * A method that the revision does not have is unknown before any step, whatever the caller may do.
 *
 * The functions of the steps run in phases, each for all steps in this order: `rewrite` and `open`, `begin`, `refuse`, then
 * `admit` and `judge`. `end` runs in reverse. A call that is refused has therefore begun in all steps that observe it.
 *
 * The requests of a batch are judged by `Access` and all steps from `ConciseMeta` on before any of them runs, and none
 * runs if one of them may not. What fails there for one request alone, such as its rate limit, is the response of that
 * request, and the others are judged without it. One request is a batch of one.
 */
export function createSteps(parts: StepParts): readonly Step[] {
  const { settings, telemetry, tracing, trail, visibility, forwarded, policy, throttling } = parts;
  const { sessions, methods, incoming } = parts;
  const { tools, resources, templates, prompts } = parts.registries;
  const entries = new EntryVisibilityStep(visibility, tools, resources, templates, prompts, settings);
  return [
    // Begins a span, in which all that refuses and admits runs. Ends it with the response that is sent.
    new TelemetryStep(telemetry, methods, tools, prompts, incoming, tracing),
    // Replaces a call of the tool that calls others by the call that is meant. All steps see that call.
    forwarded,
    // Says what the caller may do. A missing token is demanded in any case; a missing scope, unless the answer depends on
    // what the caller sees, or on the arguments. Such a refusal is not counted by any limit.
    new AuthorizationStep(policy, entries),
    // Refuses everything while the server shuts down.
    new ShutdownStep(),
    // Refuses an id that is taken.
    new DuplicateIdStep(),
    // Refuses more requests than one session or connection may have running.
    new InFlightLimitStep(settings),
    // Reserves room for the event, if events are required. May replace the answer if the event cannot be stored.
    new AuditStep(trail, incoming, sessions),
    // From here on the request runs: it can be cancelled, and what a step throws is answered as the method fails.
    // Refuses a "_meta" that would fill the memory.
    new MetaSizeStep(),
    // Counts the request, before anything is looked up for it: the steps below may ask the application.
    new MethodRateLimitStep(methods, throttling, settings),
    // Asks which of the requested entries the caller sees. The others do not exist from here on: they are neither counted
    // nor refused for their scopes, which would reveal them.
    entries,
    // Refuses for declared scopes, where that had to wait for the visibility.
    new DeclaredScopesStep(policy, entries),
    // Counts the call of the handler.
    new HandlerRateLimitStep(throttling),
    // Asks which scopes the arguments take, and refuses for them. Keeps the arguments for the handler.
    new ArgumentScopesStep(policy, settings),
    // The method comes next. Around its handler stand the time limit and then the concurrency limit, as the handler declares.
  ];
}
