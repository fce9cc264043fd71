import type { AuthError } from '../../core/oauth/auth.error.js';
import type { Authentication } from '../context/authentication.js';
import type { RequestSpan } from '../telemetry/request-tracing.js';
import type { AuthUnavailableError } from './errors.js';

/** What the guard found out about a request. */
export interface AuthState {
  /** Absent for a request without a token, if such may pass. */
  readonly authentication?: Authentication | undefined;
  /** Why the request may not pass. */
  readonly refusal?: AuthError | AuthUnavailableError;
  readonly span?: RequestSpan | undefined;
}

/** An HTTP request as the adapter has it: Node's own, or one around it. */
export interface AdapterRequest {
  readonly raw?: AdapterRequest;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The URL as it was sent, if the application has changed it. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** What it came over. */
  readonly socket?: object | null;
  readonly httpVersionMajor?: number;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders?: readonly string[];
}

/** Carries what the guard found out about one request. */
export interface AuthStateCarrier {
  authState: AuthState | undefined;
}

const CARRIER = Symbol('nestjs-mcp:auth-state');

interface MarkedRequest {
  [CARRIER]?: AuthStateCarrier;
}

/**
 * Has an object of the transport carry what the guard will find out about Node's own request. So that request gets one more
 * member and not two: on a request of Express, each costs more than a digest of the token.
 */
export function attachCarrier(raw: object, carrier: AuthStateCarrier): void {
  (raw as MarkedRequest)[CARRIER] = carrier;
}

/** Returns what carries the state of Node's own request, or `undefined` if there is neither carrier nor state. */
export function findCarrier(raw: object): AuthStateCarrier | undefined {
  return (raw as MarkedRequest)[CARRIER];
}

/** Leaves on a request what the guard found out; nobody else can. */
export function attachAuthState(request: AdapterRequest, state: AuthState): void {
  const carrier = findCarrier(request) ?? findCarrier(request.raw ?? request);
  if (carrier === undefined) attachCarrier(request.raw ?? request, { authState: state });
  else carrier.authState = state;
}
