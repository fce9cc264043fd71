import { buildAuthentication } from '../../../lib/server/auth/validators/build-authentication.js';
import type { Authentication } from '../../../lib/server/context/authentication.js';
import { RequestAuth } from '../../../lib/server/context/request-auth.js';
import { Challenges } from '../../../lib/core/oauth/challenges.js';
import { completeClaims, type GivenClaims } from '../../../lib/core/oauth/access-token.js';

export const METADATA_URL = 'https://desk.example.com/.well-known/oauth-protected-resource/mcp';

/** Makes the refusals of a desk whose metadata are known. */
export const CHALLENGES = new Challenges({
  resourceMetadataUrl: METADATA_URL,
  getFirstScopes: () => ['desk:read'],
});

/** Builds what is kept of a token that says this. */
export function buildCaller(claims: GivenClaims = {}): Authentication {
  return buildAuthentication({
    method: 'bearer',
    claims: completeClaims(claims),
    token: 'a-fixed-token-of-the-desk',
  });
}

/** Builds what a request is allowed; without claims it has no token. */
export function buildAuth(claims?: GivenClaims, required: readonly string[] = []): RequestAuth {
  return new RequestAuth(CHALLENGES, claims && buildCaller(claims), required);
}
