import type { AuthError } from '../../core/oauth/auth.error.js';
import type { Authentication } from '../context/authentication.js';
import type { RequestSpan } from '../telemetry/request-tracing.js';
import type { AuthUnavailableError } from './errors.js';

/** The guard's result for a request. */
export interface AuthState {
  /** Absent for anonymous requests that are allowed. */
  readonly authentication?: Authentication | undefined;
  /** Why the request is refused. */
  readonly refusal?: AuthError | AuthUnavailableError;
  readonly span?: RequestSpan | undefined;
}

/** The adapter's HTTP request: Node's own, or a wrapper of it. */
export interface AdapterRequest {
  readonly raw?: AdapterRequest;
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** The original URL, if the application has changed it. */
  readonly originalUrl?: string | undefined;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** The request's connection. */
  readonly socket?: object | null;
  readonly httpVersionMajor?: number;
  /** Alternating names and values, as they were sent. */
  readonly rawHeaders?: readonly string[];
}

/** Carries the guard's result for one request. */
export interface AuthStateCarrier {
  authState: AuthState | undefined;
}

const CARRIER = Symbol('nestjs-mcp:auth-state');

interface MarkedRequest {
  [CARRIER]?: AuthStateCarrier;
}

/**
 * Attaches the guard's result for Node's request to a transport object. The request then gets one additional property
 * instead of two, each of which costs more than a token digest on an Express request.
 */
export function attachCarrier(raw: object, carrier: AuthStateCarrier): void {
  (raw as MarkedRequest)[CARRIER] = carrier;
}

/** Returns the carrier of Node's request, or `undefined` if there is neither carrier nor state. */
export function findCarrier(raw: object): AuthStateCarrier | undefined {
  return (raw as MarkedRequest)[CARRIER];
}

/** Attaches the guard's result to a request, under a private symbol. */
export function attachAuthState(request: AdapterRequest, state: AuthState): void {
  const carrier = findCarrier(request) ?? findCarrier(request.raw ?? request);
  if (carrier === undefined) attachCarrier(request.raw ?? request, { authState: state });
  else carrier.authState = state;
}
