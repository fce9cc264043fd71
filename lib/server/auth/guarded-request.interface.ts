import type { AuthView } from '../context/auth-view.interface.js';
import type { RequestSpan } from '../telemetry/request-span.interface.js';
import type { ChallengeableResponse } from './auth-exception.js';
import type { AuthRoute } from './auth-routes.js';
import type { AdapterRequest } from './auth-state.js';

/** A request as handlers behind the guard see it. */
export interface AuthenticatedRequest extends AdapterRequest {
  /** The caller, and what the caller may do. */
  auth?: AuthView;
}

/** A request on its way through the guard. */
export interface GuardedRequest {
  readonly request: AuthenticatedRequest;
  readonly response: ChallengeableResponse;
  readonly route: AuthRoute;
  readonly span: RequestSpan | undefined;
}
