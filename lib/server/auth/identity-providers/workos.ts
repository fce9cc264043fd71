import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import { buildBaseUrl, type PresetOptions } from './preset.js';

/** The AuthKit of a WorkOS environment. */
export interface WorkosOptions extends PresetOptions {
  /** The AuthKit domain of the environment, `desk.authkit.app`, or its custom domain. */
  readonly domain: string;
}

/**
 * Gives the settings of the access tokens that WorkOS Connect issues to MCP clients and applications.
 *
 * - `issuer` is `https://<domain>`, and the keys are at `/oauth2/jwks`. Session tokens of AuthKit have another issuer
 *   and are refused.
 * - `types` has `JWT` and `at+jwt`, because WorkOS does not document the header.
 * - `scopeClaims` is empty: scopes are in `scope`.
 *
 * The audience is the `resourceUri`: register it as an MCP resource indicator. The tokens of machines have the client
 * ID of the environment as their audience. So have all tokens of an environment without a resource indicator. Name that
 * ID in `audience` to accept them.
 *
 * @throws {McpConfigurationError} if the domain is malformed
 * @example
 * jwt: idp.workos({ domain: 'desk.authkit.app' }),
 *
 * @see https://workos.com/docs/authkit/connect/token-claims
 */
export function workos({ domain, ...given }: WorkosOptions): JwtOptions {
  const issuer = buildBaseUrl('idp.workos.domain', domain);
  return {
    issuer,
    jwksUrl: `${issuer}/oauth2/jwks`,
    types: ['JWT', 'at+jwt'],
    scopeClaims: [],
    ...onlyGiven(given),
  };
}
