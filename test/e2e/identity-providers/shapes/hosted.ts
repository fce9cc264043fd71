import { RESOURCE } from '../../../support/applications/protected-desk.js';
import type { ProviderShape } from '../provider-shape.interface.js';

const AUTH0 = 'https://desk.eu.auth0.com';

export const auth0: ProviderShape = {
  page: 'auth0',
  sources: [
    'https://auth0.com/docs/secure/tokens/access-tokens/access-token-profiles',
    'https://auth0.com/docs/get-started/applications/configure-applications-with-oidc-discovery',
  ],
  metadata: {
    url: `${AUTH0}/.well-known/openid-configuration`,
    document: {
      issuer: `${AUTH0}/`,
      authorization_endpoint: `${AUTH0}/authorize`,
      token_endpoint: `${AUTH0}/oauth/token`,
      device_authorization_endpoint: `${AUTH0}/oauth/device/code`,
      userinfo_endpoint: `${AUTH0}/userinfo`,
      mfa_challenge_endpoint: `${AUTH0}/mfa/challenge`,
      jwks_uri: `${AUTH0}/.well-known/jwks.json`,
      registration_endpoint: `${AUTH0}/oidc/register`,
      revocation_endpoint: `${AUTH0}/oauth/revoke`,
      scopes_supported: ['openid', 'profile', 'offline_access', 'name', 'email'],
      response_types_supported: ['code', 'token', 'id_token', 'code token'],
      code_challenge_methods_supported: ['S256', 'plain'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      request_uri_parameter_supported: false,
      id_token_signing_alg_values_supported: ['HS256', 'RS256', 'PS256'],
    },
  },
  good: {
    header: { typ: 'JWT' },
    claims: {
      iss: `${AUTH0}/`,
      sub: 'auth0|6553da60a54af58e29493993',
      aud: [RESOURCE, `${AUTH0}/userinfo`],
      azp: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja',
      scope: 'openid profile desk:read',
    },
  },
  subject: 'auth0|6553da60a54af58e29493993',
  wrong: {
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: {
          iss: `${AUTH0}/`,
          sub: 'auth0|6553da60a54af58e29493993',
          aud: 'K1AUPhZq8mRi0Q0pjhkfu1D7y6KjDQja',
          nonce: 'n-0S6_WzA2Mj',
          sid: 'IQSfGE0Qp6CHpWWE2oaAXnFRLhMR4lIa',
        },
      },
      log: /claim "nonce"/,
    },
    'a token for the management API': {
      token: {
        header: { typ: 'JWT' },
        claims: {
          iss: `${AUTH0}/`,
          sub: 'auth0|1',
          aud: `${AUTH0}/api/v2/`,
          azp: 'K1AU',
          scope: 'read:users',
        },
      },
      log: /"aud" is "https:\/\/desk\.eu\.auth0\.com\/api\/v2\/"/,
    },
  },
};

const OKTA = 'https://desk.okta.com/oauth2/aus9o8wzkhckw9TLa0h7';

const OKTA_TOKEN = {
  ver: 1,
  jti: 'AT.0mP4JKAZX1iACIT4vbEDF7LpvDVjxypPMf0D7uX39RE',
  iss: OKTA,
  aud: RESOURCE,
  cid: 'nmdP1fcyvdVO11AL7ECm',
  uid: '00ujmkLgagxeRrAg20g3',
  scp: ['openid', 'desk:read'],
  sub: 'ada@example.com',
};

export const okta: ProviderShape = {
  page: 'okta',
  sources: [
    'https://developer.okta.com/docs/api/openapi/okta-oauth/guides/overview/',
    'https://developer.okta.com/docs/guides/validate-access-tokens/',
  ],
  metadata: {
    url: `${OKTA}/.well-known/openid-configuration`,
    document: {
      issuer: OKTA,
      authorization_endpoint: `${OKTA}/v1/authorize`,
      token_endpoint: `${OKTA}/v1/token`,
      userinfo_endpoint: `${OKTA}/v1/userinfo`,
      registration_endpoint: 'https://desk.okta.com/oauth2/v1/clients',
      jwks_uri: `${OKTA}/v1/keys`,
      response_types_supported: ['code', 'id_token', 'code id_token'],
      response_modes_supported: ['query', 'fragment', 'form_post', 'okta_post_message'],
      grant_types_supported: [
        'authorization_code',
        'implicit',
        'refresh_token',
        'password',
        'client_credentials',
      ],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access', 'desk:read'],
      token_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      code_challenge_methods_supported: ['S256'],
      introspection_endpoint: `${OKTA}/v1/introspect`,
      revocation_endpoint: `${OKTA}/v1/revoke`,
      end_session_endpoint: `${OKTA}/v1/logout`,
      request_parameter_supported: true,
    },
  },
  good: { claims: OKTA_TOKEN },
  subject: 'ada@example.com',
  wrong: {
    "a token of the org's own server": {
      token: { claims: { ...OKTA_TOKEN, iss: 'https://desk.okta.com', aud: 'https://desk.okta.com' } },
      log: /"iss" is "https:\/\/desk\.okta\.com"/,
    },
    'a token for another audience': {
      token: { claims: { ...OKTA_TOKEN, aud: 'api://default' } },
      log: /"aud" is "api:\/\/default"/,
    },
  },
};

const AUTHKIT = 'https://desk.authkit.app';

const WORKOS_TOKEN = {
  iss: AUTHKIT,
  aud: RESOURCE,
  sub: 'user_01JNQZ4ZQ9SAQ4HQ1X7AHDX6W0',
  client_id: 'client_01KX6ZJXT8RPBWGQAYYRDJDFFR',
  org_id: 'org_01KX6ZFWZPN8MVC4PMWGHH4ZFD',
  sid: 'app_consent_01KX6ZJXT8RPBWGQAYYRDJDFFR',
  scope: 'openid profile',
  jti: '01KX6ZKAAAAAAAAAAAAAAAAAAA',
};

export const workos: ProviderShape = {
  page: 'workos',
  sources: ['https://workos.com/docs/authkit/mcp', 'https://workos.com/docs/authkit/connect/token-claims'],
  metadata: {
    url: `${AUTHKIT}/.well-known/oauth-authorization-server`,
    document: {
      authorization_endpoint: `${AUTHKIT}/oauth2/authorize`,
      client_id_metadata_document_supported: true,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      introspection_endpoint: `${AUTHKIT}/oauth2/introspection`,
      issuer: AUTHKIT,
      jwks_uri: `${AUTHKIT}/oauth2/jwks`,
      registration_endpoint: `${AUTHKIT}/oauth2/register`,
      scopes_supported: ['email', 'offline_access', 'openid', 'profile'],
      response_modes_supported: ['query'],
      response_types_supported: ['code'],
      token_endpoint: `${AUTHKIT}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
    },
  },
  good: { header: { typ: 'JWT' }, claims: WORKOS_TOKEN },
  subject: WORKOS_TOKEN.sub,
  wrong: {
    'a token for the whole environment': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...WORKOS_TOKEN, aud: 'client_01JP8BD0CZ401TDF9X54NT5ZEK' },
      },
      log: /"aud" is "client_01JP8BD0CZ401TDF9X54NT5ZEK"/,
    },
    'a session token of AuthKit': {
      token: {
        claims: {
          iss: 'https://api.workos.com/user_management/client_01JP8BD0CZ401TDF9X54NT5ZEK',
          sub: WORKOS_TOKEN.sub,
          sid: 'session_01',
          role: 'admin',
          permissions: ['posts:read'],
        },
      },
      log: /"iss" is "https:\/\/api\.workos\.com/,
    },
  },
};
