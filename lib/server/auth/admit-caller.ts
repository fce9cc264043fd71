import type { Challenges } from '../../core/oauth/challenges.js';
import type { Authentication } from '../context/authentication.interface.js';
import { RequestAuth } from '../context/request-auth.js';
import type { AuthRoute } from './auth-routes.js';

/**
 * Returns the access of a caller that may use a route.
 *
 * @throws {AuthError} 401 if the caller has no token and needs one, 403 if the token lacks a scope that the route requires
 */
export function admitCaller(
  challenges: Challenges,
  authentication: Authentication | undefined,
  route: AuthRoute,
): RequestAuth {
  const auth = new RequestAuth(challenges, authentication, route.scopes);
  if (authentication === undefined ? !route.isPublic : route.scopes.length > 0) {
    auth.requireScope(...route.scopes);
  }
  return auth;
}
