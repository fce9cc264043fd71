import { findUrl, isSecureUrl } from '../../../core/oauth/secure-url.js';
import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { onlyGiven } from '../../settings/only-given.js';

/**
 * Returns the settings of tokens for identity providers, which differ in how they write their tokens. Spread a preset
 * to change a setting.
 *
 * @example
 * auth: {
 *   resourceUri: 'https://desk.example.com/mcp',
 *   authorizationServers: ['https://login.example.com/realms/desk'],
 *   jwt: { ...idp.keycloak({ url: 'https://login.example.com', realm: 'desk' }), clockToleranceSeconds: 30 },
 * },
 */
export const idp = { keycloak, auth0, entra, cognito, okta, workos } as const;

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
function auth0({ domain, permissions = false, ...given }: Auth0Options): JwtOptions {
  const base = buildBaseUrl('idp.auth0.domain', domain);
  return {
    issuer: `${base}/`,
    jwksUrl: `${base}/.well-known/jwks.json`,
    types: ['JWT', 'at+jwt'],
    scopeClaims: permissions ? ['permissions'] : [],
    ...onlyGiven(given),
  };
}

/** A user pool of Amazon Cognito. */
export interface CognitoOptions extends PresetOptions {
  /** The ID of the pool. It begins with the region: `eu-central-1_AbCdEfGhI`. */
  readonly userPoolId: string;
  /** The app clients whose tokens need no `aud`, so tokens for other APIs of the pool are accepted too. @default tokens must have `aud` */
  readonly clientIds?: readonly string[];
  /** The identifier of the resource server in the pool, which Cognito puts before each of its scopes. @default scopes have nothing before them */
  readonly resourceServer?: string;
}

/**
 * Returns the settings of the access tokens of a Cognito user pool.
 *
 * - `issuer` is `https://cognito-idp.<region>.amazonaws.com/<userPoolId>`.
 * - Cognito writes `aud` only if the client asked for the token with `resource`. So `clientsWithoutAudience` has the
 *   `clientIds`.
 * - `scopePrefix` is `<resourceServer>/`: clients ask for `https://desk.example.com/mcp/desk:read`, tokens contain
 *   the same string, and handlers require `desk:read`.
 * - `types` stays as it is: the header has no `typ`.
 *
 * ID tokens have the client ID in `aud`, no `client_id`, and `token_use: "id"`. Each of these is reason enough to
 * refuse them.
 *
 * @throws {McpConfigurationError} if the ID does not belong to a user pool, or no client is named
 * @example
 * jwt: idp.cognito({ userPoolId: 'eu-central-1_AbCdEfGhI', resourceServer: 'https://desk.example.com/mcp' }),
 *
 * @see
 *   https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
function cognito({ userPoolId, clientIds, resourceServer, ...given }: CognitoOptions): JwtOptions {
  assertIdentifier('idp.cognito.userPoolId', userPoolId, POOL);
  if (clientIds?.length === 0) {
    throw new McpConfigurationError('idp.cognito.clientIds', 'must name an app client, or be left out');
  }
  const region = userPoolId.slice(0, userPoolId.indexOf('_'));
  const issuer = `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`;
  return {
    issuer,
    jwksUrl: `${issuer}/.well-known/jwks.json`,
    scopeClaims: [],
    ...(clientIds && { clientsWithoutAudience: clientIds }),
    ...(resourceServer !== undefined && { scopePrefix: `${resourceServer}/` }),
    ...onlyGiven(given),
  };
}

const POOL = {
  pattern: /^[a-z]{2}(?:-[a-z]+)+-\d+_[0-9A-Za-z]+$/,
  expected: 'must be the ID of a user pool, such as "eu-central-1_AbCdEfGhI"',
};

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
 * - `issuer` has both forms: the registration of the API decides between tokens of version 2.0 and 1.0. In version
 *   1.0, `iss` is `https://sts.windows.net/<tenantId>/`.
 * - `audience` has the client ID, which tokens of version 2.0 always name, and the Application ID URI for tokens of
 *   version 1.0.
 * - `types` has `JWT`, which Entra always writes.
 * - `scopeClaims` has `scp`, and `roles` if asked for.
 * - `scopePrefix` is the Application ID URI: clients ask for `api://<clientId>/desk:read`, and tokens contain
 *   `desk:read`.
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
function entra({ tenantId: tenant, clientId: client, ...options }: EntraOptions): JwtOptions {
  assertIdentifier('idp.entra.tenantId', tenant, guidOf('the tenant'));
  assertIdentifier('idp.entra.clientId', client, guidOf('the registration of the API'));
  // Entra writes the IDs in lower case into its tokens, however they were copied.
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
 * The audience is the `resourceUri`. Keycloak adds it to tokens with an audience mapper, or with its experimental
 * feature `resource-indicators`.
 *
 * @throws {McpConfigurationError} if the URL or the realm is malformed
 * @example
 * jwt: idp.keycloak({ url: 'https://login.example.com', realm: 'desk' }),
 *
 * @see https://www.keycloak.org/securing-apps/mcp-authz-server
 */
function keycloak({ url, realm, ...given }: KeycloakOptions): JwtOptions {
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
function okta({ domain, authorizationServerId = 'default', ...given }: OktaOptions): JwtOptions {
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
function workos({ domain, ...given }: WorkosOptions): JwtOptions {
  const issuer = buildBaseUrl('idp.workos.domain', domain);
  return {
    issuer,
    jwksUrl: `${issuer}/oauth2/jwks`,
    types: ['JWT', 'at+jwt'],
    scopeClaims: [],
    ...onlyGiven(given),
  };
}

/** Settings that every preset accepts. Spread the preset to add any other setting of tokens. */
export interface PresetOptions {
  /**
   * The accepted audiences of tokens. A token must name one of them.
   * @default the `resourceUri` of the server, unless the preset defines another
   */
  readonly audience?: string | readonly string[];
  /** The URL of the provider's keys. @default where the provider has them */
  readonly jwksUrl?: string;
}

/**
 * Returns the base URL of a provider, without a slash at the end: `login.example.com` becomes
 * `https://login.example.com`.
 *
 * @param mayBeInsecure whether it may be `http`. `auth.insecureHosts` then lists the hosts
 * @throws {McpConfigurationError} if keys cannot be fetched safely from there
 */
export function buildBaseUrl(option: string, given: string, mayBeInsecure = false): string {
  const url = (given.includes('://') ? given : `https://${given}`).replace(/\/+$/, '');
  const { protocol, search, hash } = findUrl(url) ?? {};
  const isFit = isSecureUrl(url) || (mayBeInsecure && protocol === 'http:');
  if (isFit && search === '' && hash === '') return url;
  throw new McpConfigurationError(
    option,
    'must be a host name or an "https:" URL, such as "https://login.example.com"',
  );
}

/**
 * Checks an identifier that becomes a part of URLs.
 *
 * @throws {McpConfigurationError} if it is of another form
 */
export function assertIdentifier(option: string, given: string, form: IdentifierForm): void {
  if (form.pattern.test(given)) return;
  throw new McpConfigurationError(option, form.expected);
}

/** What an identifier looks like. */
interface IdentifierForm {
  readonly pattern: RegExp;
  /** The message about an identifier of another form. */
  readonly expected: string;
}
