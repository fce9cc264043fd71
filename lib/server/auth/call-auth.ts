import type { Challenges } from '../../core/oauth/challenges.js';
import type { AuthView } from '../context/auth-view.interface.js';
import type { Authentication } from '../context/authentication.js';
import { RequestAuth } from '../context/request-auth.js';

/** The access of calls, for the requests to application routes that the server makes as part of them. */
const callAuth = new WeakMap<object, RequestAuth>();

/**
 * Attaches a call's access to a request that the server makes to an application route as part of the call. The token
 * was checked when the call arrived, and its DPoP proof is valid only for the endpoint.
 */
export function attachCallAuth(request: object, auth: AuthView): void {
  if (auth instanceof RequestAuth) callAuth.set(request, auth);
}

/**
 * Finds the caller of the call that a request belongs to. Returns `undefined` if a client sent the request itself, or
 * if the caller was authenticated for a different server.
 */
export function findCallAuthentication(request: object, challenges: Challenges): Authentication | undefined {
  const auth = callAuth.get(request);
  return auth?.isOf(challenges) === true ? auth.authentication : undefined;
}
