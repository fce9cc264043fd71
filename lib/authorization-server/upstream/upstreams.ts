import type { UpstreamOptions } from '../settings/upstream-options.js';

/** The client that you have registered with a provider, and options that differ from the preset. */
type Registered = Pick<UpstreamOptions, 'clientId' | 'clientSecret'> & Partial<UpstreamOptions>;

/**
 * Identity providers where people log in. Register a client there, with the issuer followed by `/callback` as its
 * redirect URI.
 *
 * @example
 * upstream: upstreams.google({ clientId, clientSecret }),
 */
export const upstreams = { entraId, google, github, okta, cognito, auth0, keycloak } as const;

/**
 * Microsoft Entra ID, for accounts in one tenant. `tenant` is its ID, a GUID, which tokens contain as their issuer. A
 * user is identified by the `oid` claim, which is the same for all applications in the tenant.
 *
 * @see https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference
 */
function entraId({ tenant, ...options }: Registered & { readonly tenant: string }): UpstreamOptions {
  return {
    name: 'Microsoft',
    issuer: `https://login.microsoftonline.com/${encodeURIComponent(tenant).toLowerCase()}/v2.0`,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    clientAuthentication: 'client_secret_post',
    readSubject: ({ oid }) => (typeof oid === 'string' ? oid : undefined),
    ...options,
  };
}

/**
 * Google, for any account. To admit only one organization, check the `hd` claim in `grantScopes`.
 *
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
function google({ parameters, ...options }: Registered): UpstreamOptions {
  return {
    name: 'Google',
    issuer: 'https://accounts.google.com',
    // Google only issues a refresh token at the first consent, unless consent is requested again.
    parameters: { access_type: 'offline', ...parameters },
    clientAuthentication: 'client_secret_post',
    ...options,
  };
}

/**
 * GitHub, with plain OAuth 2.0. A user is identified by the numeric account ID, because user names can be reassigned.
 * With the scope `user:email`, the claim `email` is the primary address if it is verified, and otherwise `null`.
 *
 * @see https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
function github(options: Registered): UpstreamOptions {
  return {
    name: 'GitHub',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    userUrl: 'https://api.github.com/user',
    scopes: ['read:user'],
    clientAuthentication: 'client_secret_post',
    readSubject: ({ id }) => (typeof id === 'number' ? String(id) : undefined),
    ...options,
  };
}

/** Okta, with the organization's own authorization server, or a custom one such as `default`. */
function okta({
  domain,
  authorizationServer,
  ...options
}: Registered & { readonly domain: string; readonly authorizationServer?: string }): UpstreamOptions {
  const path = authorizationServer === undefined ? '' : `/oauth2/${encodeURIComponent(authorizationServer)}`;
  return {
    name: 'Okta',
    issuer: `https://${domain}${path}`,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...options,
  };
}

/** An Amazon Cognito user pool. */
function cognito({ userPoolId, ...options }: Registered & { readonly userPoolId: string }): UpstreamOptions {
  const region = userPoolId.slice(0, userPoolId.indexOf('_'));
  return {
    name: 'Amazon Cognito',
    issuer: `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`,
    ...options,
  };
}

/** A tenant of Auth0. */
function auth0({ domain, ...options }: Registered & { readonly domain: string }): UpstreamOptions {
  return {
    name: 'Auth0',
    issuer: `https://${domain}/`,
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    ...options,
  };
}

/** A realm of Keycloak. */
function keycloak({
  url,
  realm,
  ...options
}: Registered & { readonly url: string; readonly realm: string }): UpstreamOptions {
  return { name: 'Keycloak', issuer: `${url}/realms/${encodeURIComponent(realm)}`, ...options };
}
