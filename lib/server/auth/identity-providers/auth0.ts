import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import { buildBaseUrl, type PresetOptions } from './preset.js';

/** A tenant of Auth0. */
export interface Auth0Options extends PresetOptions {
  /** The domain of the tenant, `desk.eu.auth0.com`, or its custom domain if clients use that. */
  readonly domain: string;
  /**
   * Counts the claim `permissions` as scopes. The claim lists everything that the user may do, even what the client was
   * not granted.
   * @default false
   */
  readonly permissions?: boolean;
}

/**
 * Returns the settings of the tokens of an Auth0 tenant.
 *
 * - `issuer` is `https://<domain>/`, with the slash that Auth0 writes.
 * - `types` has `JWT`, of Auth0's own token profile, and `at+jwt`, of the profile "RFC 9068".
 * - `scopeClaims` is empty: scopes are in `scope`. With `permissions`, that claim counts too.
 *
 * The audience is the `resourceUri`: register the API under exactly that identifier, or give `audience`.
 *
 * @throws {McpConfigurationError} if the domain is malformed
 * @example
 * jwt: idp.auth0({ domain: 'desk.eu.auth0.com' }),
 *
 * @see https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles
 */
export function auth0({ domain, permissions = false, ...given }: Auth0Options): JwtOptions {
  const base = buildBaseUrl('idp.auth0.domain', domain);
  return {
    issuer: `${base}/`,
    jwksUrl: `${base}/.well-known/jwks.json`,
    types: ['JWT', 'at+jwt'],
    scopeClaims: permissions ? ['permissions'] : [],
    ...onlyGiven(given),
  };
}
