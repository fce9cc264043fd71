import type { FactoryProvider, Provider, Type } from '@nestjs/common';
import { ForwardedCalls } from '../catalogue/search/forwarded-calls.js';
import { PIPELINE_STEPS } from '../settings/mcp.constants.js';
import type { Step } from './step.js';
import { Audit, Telemetry } from './steps/observation.js';
import { HandlerLimit, MethodLimit } from './steps/rate-limits.js';
import { Closed, ConciseMeta, DuplicateId, RunningLimit } from './steps/running-requests.js';
import { Access, ArgumentScopes, DeclaredScopes } from './steps/scopes.js';
import { EntryVisibility } from './steps/visibility.js';

/**
 * The steps that each request passes before its method, in their order. HTTP, HTTP+SSE, stdio, memory and calls that
 * extensions host pass the same ones. A step that nothing needs is left out, until an option, a handler or a subscriber
 * needs it.
 *
 * A method that the revision does not have is unknown before any step, whatever the caller may do.
 *
 * A batch passes `access` and all steps from `memory` on together, before any of its requests runs: nothing of it does
 * if one of its requests may not. What fails there for one request alone, such as its rate limit, is the answer of that
 * request, and the others are judged without it. One request is a batch of one.
 */
export const STEPS: readonly Type<Step>[] = [
  // Begins a span, in which everything below runs. Ends it with the answer that is sent.
  Telemetry,
  // Replaces a call of the tool that calls others by the call that is meant. All steps see that call.
  ForwardedCalls,
  // Says what the caller may do. A missing token is demanded in any case; a missing scope, unless the answer depends on
  // what the caller sees, or on the arguments. Such a refusal is not counted by any limit.
  Access,
  // Refuses everything while the server shuts down.
  Closed,
  // Refuses an id that is taken.
  DuplicateId,
  // Refuses more requests than one client may have running.
  RunningLimit,
  // Reserves room for the event, if events are required. May replace the answer if the event cannot be stored.
  Audit,
  // From here on the request runs: it can be cancelled, and what a step throws is answered as the method fails.
  // Refuses a "_meta" that would fill the memory.
  ConciseMeta,
  // Counts the request, before anything is looked up for it: the steps below may ask the application.
  MethodLimit,
  // Asks which of the requested entries the caller sees. The others do not exist from here on: they are neither counted
  // nor refused for their scopes, which would reveal them.
  EntryVisibility,
  // Refuses for declared scopes, where that had to wait for the visibility.
  DeclaredScopes,
  // Counts the call of the handler.
  HandlerLimit,
  // Asks which scopes the arguments take, and refuses for them. Keeps the arguments for the handler.
  ArgumentScopes,
  // The method comes next. Around its handler stand the time limit and then the concurrency limit, as the handler declares.
];

/** The steps of one server, and the list of them. */
export const STEP_PROVIDERS: readonly Provider[] = [
  ...STEPS,
  {
    provide: PIPELINE_STEPS,
    useFactory: (...steps: readonly Step[]) => steps,
    inject: [...STEPS],
  } satisfies FactoryProvider,
];
