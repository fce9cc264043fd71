import type { Authentication } from '../context/authentication.interface.js';
import type { AuthError } from '../oauth/auth.error.js';
import type { RequestSpan } from '../telemetry/request-span.interface.js';
import type { AuthUnavailableError } from './validators/auth-unavailable.error.js';

/** What the guard found out about a request. */
export interface AuthState {
  /** Absent for a request without a token, where such may pass. */
  readonly authentication?: Authentication;
  /** Why the request may not pass. */
  readonly refusal?: AuthError | AuthUnavailableError;
  readonly span?: RequestSpan | undefined;
}

/** An HTTP request as the adapter has it: Node's own, or one around it. */
export interface AdapterRequest {
  readonly raw?: AdapterRequest;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders?: readonly string[];
}

const STATE = Symbol('nestjs-mcp:auth-state');

interface MarkedRequest extends AdapterRequest {
  [STATE]?: AuthState;
}

/** Leaves on a request what the guard found out; nobody else can. */
export function attachAuthState(request: AdapterRequest, state: AuthState): void {
  const raw: MarkedRequest = request.raw ?? request;
  raw[STATE] = state;
}

/** Gives what the guard found out; nothing where it has not seen the request. */
export function findAuthState(raw: object): AuthState | undefined {
  return (raw as MarkedRequest)[STATE];
}
