import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import { assertIdentifier, type PresetOptions } from './preset.js';

/** An API that is registered with Microsoft Entra ID. */
export interface EntraOptions extends PresetOptions {
  /** The directory (tenant) ID: a GUID. Tokens never name `common` or a domain. */
  readonly tenantId: string;
  /** The application (client) ID of the registration of the API: a GUID. */
  readonly clientId: string;
  /** The Application ID URI of the API. @default `api://<clientId>` */
  readonly applicationIdUri?: string;
  /**
   * Counts app roles as scopes. An application without a user has only roles. The roles of a user may include more than
   * the client was granted.
   * @default false
   */
  readonly roles?: boolean;
}

/**
 * Returns the settings of the tokens of one Microsoft Entra ID tenant.
 *
 * - `issuer` has both forms: the registration of the API decides between tokens of version 2.0 and 1.0. In version 1.0,
 *   `iss` is `https://sts.windows.net/<tenantId>/`.
 * - `audience` has the client ID, which tokens of version 2.0 always name, and the Application ID URI for those of version 1.0.
 * - `types` has `JWT`, which Entra always writes.
 * - `scopeClaims` has `scp`, and `roles` if asked for.
 * - `scopePrefix` is the Application ID URI: clients ask for `api://<clientId>/desk:read`, and tokens say `desk:read`.
 *
 * The authorization server to name in the metadata is `https://login.microsoftonline.com/<tenantId>/v2.0`.
 *
 * @throws {McpConfigurationError} if an ID is not a GUID
 * @example
 * jwt: idp.entra({
 *   tenantId: 'aaaabbbb-0000-cccc-1111-dddd2222eeee',
 *   clientId: '00001111-aaaa-2222-bbbb-3333cccc4444',
 * }),
 *
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference
 */
export function entra({ tenantId: tenant, clientId: client, ...options }: EntraOptions): JwtOptions {
  assertIdentifier('idp.entra.tenantId', tenant, guidOf('the tenant'));
  assertIdentifier('idp.entra.clientId', client, guidOf('the registration of the API'));
  // Entra writes the IDs in small letters into its tokens, however somebody copied them.
  const [tenantId, clientId] = [tenant.toLowerCase(), client.toLowerCase()];
  const { applicationIdUri = `api://${clientId}`, roles = false, ...given } = options;
  return {
    issuer: [`${LOGIN}/${tenantId}/v2.0`, `https://sts.windows.net/${tenantId}/`],
    jwksUrl: `${LOGIN}/${tenantId}/discovery/v2.0/keys`,
    audience: [clientId, applicationIdUri],
    types: ['JWT'],
    scopeClaims: roles ? ['scp', 'roles'] : ['scp'],
    scopePrefix: `${applicationIdUri.replace(/\/$/, '')}/`,
    ...onlyGiven(given),
  };
}

const LOGIN = 'https://login.microsoftonline.com';

function guidOf(whose: string) {
  return {
    pattern: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    expected: `must be the ID of ${whose}, such as "00001111-aaaa-2222-bbbb-3333cccc4444"`,
  };
}
