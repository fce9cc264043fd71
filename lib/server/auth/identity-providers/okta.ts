import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { onlyGiven } from '../../settings/only-given.js';
import { assertIdentifier, buildBaseUrl, type PresetOptions } from './preset.js';

/** A custom authorization server of Okta. The tokens of the org's own server are for Okta only. */
export interface OktaOptions extends PresetOptions {
  /** The domain of the org, `desk.okta.com`, or its custom domain if the server's issuer has that. */
  readonly domain: string;
  /** The ID of the authorization server. @default 'default', which Okta makes for every org */
  readonly authorizationServerId?: string;
}

/**
 * Returns the settings of the access tokens of a custom authorization server of Okta.
 *
 * - `issuer` is `https://<domain>/oauth2/<authorizationServerId>`, and the keys are at `v1/keys` below it.
 * - `audience` is `api://default` for the server `default`, because Okta creates it so. Otherwise it is the
 *   `resourceUri`: create the authorization server with this audience.
 * - `scopeClaims` has `scp`, an array.
 * - `types` stays as it is: the header has no `typ`.
 *
 * @throws {McpConfigurationError} if the domain or the ID is malformed
 * @example
 * jwt: idp.okta({ domain: 'desk.okta.com', authorizationServerId: 'aus9o8wzkhckw9TLa0h7' }),
 *
 * @see https://developer.okta.com/docs/concepts/auth-servers/
 */
export function okta({ domain, authorizationServerId = 'default', ...given }: OktaOptions): JwtOptions {
  assertIdentifier('idp.okta.authorizationServerId', authorizationServerId, SERVER);
  const issuer = `${buildBaseUrl('idp.okta.domain', domain)}/oauth2/${authorizationServerId}`;
  return {
    issuer,
    jwksUrl: `${issuer}/v1/keys`,
    ...(authorizationServerId === 'default' && { audience: 'api://default' }),
    scopeClaims: ['scp'],
    ...onlyGiven(given),
  };
}

const SERVER = {
  pattern: /^[0-9A-Za-z]+$/,
  expected: 'must be the ID of a custom authorization server, such as "aus9o8wzkhckw9TLa0h7"',
};
