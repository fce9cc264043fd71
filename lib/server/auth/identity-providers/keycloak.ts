import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import { assertIdentifier, buildBaseUrl, type PresetOptions } from './preset.js';

/** A realm of Keycloak. */
export interface KeycloakOptions extends PresetOptions {
  /** The URL of Keycloak for its clients, with its path if it has one, such as `/auth` in old releases. `http` needs `auth.insecureHosts`. */
  readonly url: string;
  /** The name of the realm. */
  readonly realm: string;
}

/**
 * Returns the settings of the tokens of a Keycloak realm.
 *
 * - `issuer` is `<url>/realms/<realm>`, and the keys are at `protocol/openid-connect/certs` below it.
 * - `types` has `JWT`, which Keycloak writes if a client is not set to use `at+jwt`.
 * - `scopeClaims` is empty: scopes are in `scope`. The roles in `realm_access` and `resource_access` are not scopes.
 *
 * The audience is the `resourceUri`. Keycloak puts it into a token by an audience mapper, or by its experimental
 * feature `resource-indicators`.
 *
 * @throws {McpConfigurationError} if the URL or the realm is malformed
 * @example
 * jwt: idp.keycloak({ url: 'https://login.example.com', realm: 'desk' }),
 *
 * @see https://www.keycloak.org/securing-apps/mcp-authz-server
 */
export function keycloak({ url, realm, ...given }: KeycloakOptions): JwtOptions {
  assertIdentifier('idp.keycloak.realm', realm, REALM);
  const issuer = `${buildBaseUrl('idp.keycloak.url', url, true)}/realms/${realm}`;
  return {
    issuer,
    jwksUrl: `${issuer}/protocol/openid-connect/certs`,
    types: ['JWT', 'at+jwt'],
    scopeClaims: [],
    ...onlyGiven(given),
  };
}

const REALM = {
  pattern: /^[^\s/?#]+$/,
  expected: 'must be the name of a realm, such as "desk", as the URLs of Keycloak have it',
};
