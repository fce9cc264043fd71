import { findUrl, isSecureUrl } from '../../../core/oauth/secure-url.js';
import type { JwtOptions } from '../../settings/auth/jwt-options.js';
import { McpConfigurationError } from '../../settings/mcp-configuration.error.js';
import { onlyGiven } from '../../settings/only-given.js';

/**
 * Returns token settings for identity providers, which differ in how they write their tokens. Spread a preset to
 * change a setting.
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
  /** The domain of the tenant, `desk.eu.auth0.com`, or its custom domain if clients use one. */
  readonly domain: string;
  /**
   * Treats the `permissions` claim as scopes. The claim lists everything that the user may do, including what the
   * client was not granted.
   * @default false
   */
  readonly permissions?: boolean;
}

/**
 * Returns the token settings for an Auth0 tenant.
 *
 * - `issuer` is `https://<domain>/`, with the slash that Auth0 writes.
 * - `types` contains `JWT` for Auth0's own token profile, and `at+jwt` for the "RFC 9068" profile.
 * - `scopeClaims` is empty: scopes are in `scope`. With `permissions`, that claim is used too.
 *
 * The audience is the `resourceUri`: register the API under exactly that identifier, or set `audience`.
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

/** An Amazon Cognito user pool. */
export interface CognitoOptions extends PresetOptions {
  /** The pool ID, which begins with the region: `eu-central-1_AbCdEfGhI`. */
  readonly userPoolId: string;
  /** The app clients whose tokens need no `aud`, so tokens for other APIs of the pool are accepted too. @default tokens must have `aud` */
  readonly clientIds?: readonly string[];
  /** The resource server's identifier in the pool, with which Cognito prefixes each scope. @default no prefix */
  readonly resourceServer?: string;
}

/**
 * Returns the access token settings for a Cognito user pool.
 *
 * - `issuer` is `https://cognito-idp.<region>.amazonaws.com/<userPoolId>`.
 * - Cognito writes `aud` only if the client requested the token with `resource`, so `clientsWithoutAudience` contains
 * the `clientIds`.
 * - `scopePrefix` is `<resourceServer>/`: clients request `https://desk.example.com/mcp/desk:read`, tokens contain
 * the same string, and handlers require `desk:read`.
 * - `types` is unchanged: the header has no `typ`.
 *
 * ID tokens have the client ID in `aud`, no `client_id`, and `token_use: "id"`. Any of these is enough to refuse
 * them.
 *
 * @throws {McpConfigurationError} if the ID is not a user pool ID, or no client is named
 * @example
 * jwt: idp.cognito({ userPoolId: 'eu-central-1_AbCdEfGhI', resourceServer: 'https://desk.example.com/mcp' }),
 *
 * @see
 *   https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html
 */
function cognito({ userPoolId, clientIds, resourceServer, ...given }: CognitoOptions): JwtOptions {
  assertIdentifier('idp.cognito.userPoolId', userPoolId, POOL);
  if (clientIds?.length === 0) {
    throw new McpConfigurationError(
      'idp.cognito.clientIds',
      'must contain at least one app client, or be omitted',
    );
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
  expected: 'must be a user pool ID, such as "eu-central-1_AbCdEfGhI"',
};

/** An API registered with Microsoft Entra ID. */
export interface EntraOptions extends PresetOptions {
  /** The directory (tenant) ID: a GUID. Tokens never name `common` or a domain. */
  readonly tenantId: string;
  /** The application (client) ID of the API registration: a GUID. */
  readonly clientId: string;
  /** The API's Application ID URI. @default `api://<clientId>` */
  readonly applicationIdUri?: string;
  /**
   * Treats app roles as scopes. An application that acts without a user has only roles. A user's roles may include
   * more than the client was granted.
   * @default false
   */
  readonly roles?: boolean;
}

/**
 * Returns the token settings for one Microsoft Entra ID tenant.
 *
 * - `issuer` contains both forms, because the API registration decides between version 2.0 and version 1.0 tokens. In
 * version 1.0, `iss` is `https://sts.windows.net/<tenantId>/`.
 * - `audience` contains the client ID, which version 2.0 tokens always name, and the Application ID URI for version
 * 1.0 tokens.
 * - `types` contains `JWT`, which Entra always writes.
 * - `scopeClaims` contains `scp`, and `roles` on request.
 * - `scopePrefix` is the Application ID URI: clients request `api://<clientId>/desk:read`, and tokens contain
 * `desk:read`.
 *
 * The metadata must name `https://login.microsoftonline.com/<tenantId>/v2.0` as the authorization server.
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
  assertIdentifier('idp.entra.clientId', client, guidOf('the API registration'));
  // Entra's tokens contain the IDs in lower case, regardless of how they were copied.
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
  /**
   * The URL at which clients reach Keycloak, with its path if it has one, such as `/auth` in old releases. `http`
   * requires `auth.insecureHosts`.
   */
  readonly url: string;
  /** The realm name. */
  readonly realm: string;
}

/**
 * Returns the token settings for a Keycloak realm.
 *
 * - `issuer` is `<url>/realms/<realm>`, and the keys are at `protocol/openid-connect/certs` below it.
 * - `types` contains `JWT`, which Keycloak writes unless a client is configured to use `at+jwt`.
 * - `scopeClaims` is empty: scopes are in `scope`. The roles in `realm_access` and `resource_access` are not scopes.
 *
 * The audience is the `resourceUri`. Keycloak adds it to tokens with an audience mapper, or with its experimental
 * `resource-indicators` feature.
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
  expected: 'must be a realm name as it appears in Keycloak URLs, such as "desk"',
};

/** An Okta custom authorization server. Tokens from the org's own server are for Okta only. */
export interface OktaOptions extends PresetOptions {
  /** The org's domain, `desk.okta.com`, or its custom domain if the server's issuer uses it. */
  readonly domain: string;
  /** The authorization server ID. @default 'default', which Okta creates for every org */
  readonly authorizationServerId?: string;
}

/**
 * Returns the access token settings for an Okta custom authorization server.
 *
 * - `issuer` is `https://<domain>/oauth2/<authorizationServerId>`, and the keys are at `v1/keys` below it.
 * - `audience` is `api://default` for the server `default`, which is Okta's default. Otherwise it is the
 * `resourceUri`: create the authorization server with this audience.
 * - `scopeClaims` contains `scp`, an array.
 * - `types` is unchanged: the header has no `typ`.
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

/** The AuthKit domain settings of a WorkOS environment. */
export interface WorkosOptions extends PresetOptions {
  /** The environment's AuthKit domain, `desk.authkit.app`, or its custom domain. */
  readonly domain: string;
}

/**
 * Returns the settings for the access tokens that WorkOS Connect issues to MCP clients and applications.
 *
 * - `issuer` is `https://<domain>`, and the keys are at `/oauth2/jwks`. AuthKit session tokens have another issuer
 * and are refused.
 * - `types` contains `JWT` and `at+jwt`, because WorkOS does not document the header.
 * - `scopeClaims` is empty: scopes are in `scope`.
 *
 * The audience is the `resourceUri`: register it as an MCP resource indicator. Machine tokens have the environment's
 * client ID as their audience, and so do all tokens in an environment without a resource indicator. To accept them,
 * name that ID in `audience`.
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

/** Settings that every preset accepts. Spread the preset to add any other token setting. */
export interface PresetOptions {
  /**
   * The accepted audiences of tokens. A token must name one of them.
   * @default the `resourceUri` of the server, unless the preset defines another
   */
  readonly audience?: string | readonly string[];
  /** The URL of the provider's keys. @default the provider's standard location */
  readonly jwksUrl?: string;
}

/**
 * Returns a provider's base URL, without a trailing slash: `login.example.com` becomes `https://login.example.com`.
 *
 * @param mayBeInsecure whether it may be `http`. `auth.insecureHosts` then lists the hosts
 * @throws {McpConfigurationError} if keys cannot be fetched from there safely
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
 * Checks an identifier that becomes part of a URL.
 *
 * @throws {McpConfigurationError} if it has a different form
 */
export function assertIdentifier(option: string, given: string, form: IdentifierForm): void {
  if (form.pattern.test(given)) return;
  throw new McpConfigurationError(option, form.expected);
}

/** The format of an identifier. */
interface IdentifierForm {
  readonly pattern: RegExp;
  /** The message about an identifier with an invalid form. */
  readonly expected: string;
}
