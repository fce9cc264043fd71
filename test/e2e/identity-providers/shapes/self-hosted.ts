import { RESOURCE } from '../../../support/applications/protected-desk.js';
import type { ProviderShape } from '../provider-shape.interface.js';

const REALM = 'https://login.example.com/realms/desk';
const OIDC = `${REALM}/protocol/openid-connect`;

const KEYCLOAK_TOKEN = {
  jti: 'onrtac:d58f5dc8-fd8f-462b-8a19-716f8f83985b',
  iss: REALM,
  aud: [RESOURCE, 'account'],
  sub: '36fa0f91-f94d-4a0c-afed-6b7d952e47da',
  typ: 'Bearer',
  azp: 'desk-app',
  sid: '2a88c258-f73a-4103-b862-e1fbd8f4e04e',
  acr: '1',
  'allowed-origins': ['https://app.example.com'],
  realm_access: { roles: ['offline_access', 'default-roles-desk', 'uma_authorization'] },
  resource_access: { account: { roles: ['manage-account', 'view-profile'] } },
  scope: 'openid email profile desk:read',
  email_verified: true,
  preferred_username: 'ada',
};

export const keycloak: ProviderShape = {
  page: 'keycloak',
  sources: [
    'https://www.keycloak.org/securing-apps/mcp-authz-server',
    'https://www.keycloak.org/securing-apps/oidc-layers',
  ],
  metadata: {
    url: `${REALM}/.well-known/openid-configuration`,
    document: {
      issuer: REALM,
      authorization_endpoint: `${OIDC}/auth`,
      token_endpoint: `${OIDC}/token`,
      introspection_endpoint: `${OIDC}/token/introspect`,
      userinfo_endpoint: `${OIDC}/userinfo`,
      end_session_endpoint: `${OIDC}/logout`,
      jwks_uri: `${OIDC}/certs`,
      check_session_iframe: `${OIDC}/login-status-iframe.html`,
      grant_types_supported: [
        'authorization_code',
        'client_credentials',
        'implicit',
        'password',
        'refresh_token',
      ],
      response_types_supported: ['code', 'none', 'id_token', 'token', 'id_token token'],
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: ['PS384', 'RS384', 'EdDSA', 'ES384', 'HS256', 'ES256', 'RS256'],
      registration_endpoint: `${REALM}/clients-registrations/openid-connect`,
      token_endpoint_auth_methods_supported: ['private_key_jwt', 'client_secret_basic', 'client_secret_post'],
      scopes_supported: ['openid', 'offline_access', 'profile', 'email', 'basic', 'desk:read'],
      code_challenge_methods_supported: ['plain', 'S256'],
      tls_client_certificate_bound_access_tokens: true,
      revocation_endpoint: `${OIDC}/revoke`,
      authorization_response_iss_parameter_supported: true,
    },
  },
  good: { header: { typ: 'JWT' }, claims: KEYCLOAK_TOKEN },
  subject: KEYCLOAK_TOKEN.sub,
  wrong: {
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...KEYCLOAK_TOKEN, typ: 'ID', aud: 'desk-app', at_hash: 'h' },
      },
      log: /claim "typ" is "ID"/,
    },
    'a refresh token': {
      token: { header: { typ: 'JWT' }, claims: { ...KEYCLOAK_TOKEN, typ: 'Refresh', aud: REALM } },
      log: /claim "typ" is "Refresh"/,
    },
    'a token without the audience mapper': {
      token: { header: { typ: 'JWT' }, claims: { ...KEYCLOAK_TOKEN, aud: 'account' } },
      log: /"aud" is "account"/,
    },
  },
};

const AUTHENTIK = 'https://auth.example.com/application/o/desk/';
const AUTHENTIK_O = 'https://auth.example.com/application/o';
const AUTHENTIK_CLIENT = 'tZ4nVh9TZ3vQxE0Z8X1uYFVg2qW3eR5tY6uI8oP0';

const AUTHENTIK_TOKEN = {
  iss: AUTHENTIK,
  sub: '9c1f2f1f6e0b4f0e8f3e5a5b0a5d0f6c7e8d9a0b1c2d3e4f5a6b7c8d9e0f1a2b',
  aud: AUTHENTIK_CLIENT,
  auth_time: 1735815600,
  acr: 'goauthentik.io/providers/oauth2/default',
  amr: ['pwd'],
  sid: 'c4f8a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6c7d8e9f0',
  email: 'ada@example.com',
  email_verified: true,
  name: 'Ada',
  preferred_username: 'ada',
  groups: ['staff'],
  azp: AUTHENTIK_CLIENT,
  uid: 'SY3tQzZ8nJ1rLk5vWb7xXc9dEf2gHi4jKl6mNo8p',
};

const AUTHENTIK_FACTS = {
  sources: [
    'https://github.com/goauthentik/authentik, authentik/providers/oauth2/id_token.py: to_access_token()',
    'https://github.com/goauthentik/authentik, authentik/providers/oauth2/views/provider.py: get_info()',
    'https://github.com/goauthentik/authentik, authentik/providers/oauth2/views/introspection.py',
  ],
  metadata: {
    url: `${AUTHENTIK}.well-known/openid-configuration`,
    document: {
      issuer: AUTHENTIK,
      authorization_endpoint: `${AUTHENTIK_O}/authorize/`,
      token_endpoint: `${AUTHENTIK_O}/token/`,
      userinfo_endpoint: `${AUTHENTIK_O}/userinfo/`,
      end_session_endpoint: `${AUTHENTIK}end-session/`,
      introspection_endpoint: `${AUTHENTIK_O}/introspect/`,
      revocation_endpoint: `${AUTHENTIK_O}/revoke/`,
      device_authorization_endpoint: `${AUTHENTIK_O}/device/`,
      response_types_supported: ['code', 'id_token', 'id_token token', 'code token', 'code id_token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      jwks_uri: `${AUTHENTIK}jwks/`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'implicit',
        'client_credentials',
        'password',
      ],
      id_token_signing_alg_values_supported: ['RS256'],
      subject_types_supported: ['public'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      acr_values_supported: ['goauthentik.io/providers/oauth2/default'],
      scopes_supported: ['openid', 'email', 'profile', 'desk:read'],
      request_parameter_supported: false,
      claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'acr', 'amr', 'nonce'],
      claims_parameter_supported: false,
      code_challenge_methods_supported: ['plain', 'S256'],
    },
  },
  subject: AUTHENTIK_TOKEN.sub,
} as const;

export const authentik: ProviderShape = {
  ...AUTHENTIK_FACTS,
  page: 'authentik',
  good: { header: { typ: 'JWT' }, claims: AUTHENTIK_TOKEN },
  wrong: {
    'a token of another application': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...AUTHENTIK_TOKEN, iss: `${AUTHENTIK_O}/wiki/`, aud: 'wiki', azp: 'wiki' },
      },
      log: /"iss" is "https:\/\/auth\.example\.com\/application\/o\/wiki\/"/,
    },
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...AUTHENTIK_TOKEN, azp: undefined, uid: undefined, nonce: 'n', at_hash: 'h' },
      },
      log: /claim "nonce".*list it in "auth\.jwt\.toleratedClaims"/,
    },
  },
};

export const authentikTolerated: ProviderShape = {
  ...AUTHENTIK_FACTS,
  page: 'authentik with hybrid flows',
  block: 1,
  good: {
    header: { typ: 'JWT' },
    claims: { ...AUTHENTIK_TOKEN, nonce: 'n-0S6_WzA2Mj', at_hash: 'HK6E_P6Dh8Y93' },
  },
  wrong: {
    'a token for another audience': {
      token: { header: { typ: 'JWT' }, claims: { ...AUTHENTIK_TOKEN, aud: 'wiki', nonce: 'n' } },
      log: /"aud" is "wiki"/,
    },
  },
};

const DEX = 'https://dex.example.com';

const DEX_TOKEN = {
  iss: DEX,
  sub: 'CiQwOGE4Njg0Yi1kYjg4LTRiNzMtOTBhOS0zY2QxNjYxZjU0NjYSBWxvY2Fs',
  aud: ['desk', 'reader'],
  azp: 'reader',
  nonce: 'n-0S6_WzA2Mj',
  at_hash: '2jYtTz7bXvdzbXgtVkZ1Jw',
  email: 'ada@example.com',
  email_verified: true,
};

export const dex: ProviderShape = {
  page: 'dex',
  sources: [
    'https://github.com/dexidp/dex, server/oauth2.go: newAccessToken(), newIDToken()',
    'https://github.com/dexidp/dex, server/handlers.go: the discovery document',
  ],
  metadata: {
    url: `${DEX}/.well-known/openid-configuration`,
    document: {
      issuer: DEX,
      authorization_endpoint: `${DEX}/auth`,
      token_endpoint: `${DEX}/token`,
      jwks_uri: `${DEX}/keys`,
      userinfo_endpoint: `${DEX}/userinfo`,
      device_authorization_endpoint: `${DEX}/device/code`,
      introspection_endpoint: `${DEX}/token/introspect`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
      ],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256', 'plain'],
      scopes_supported: ['openid', 'email', 'groups', 'profile', 'offline_access'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      claims_supported: [
        'iss',
        'sub',
        'aud',
        'iat',
        'exp',
        'email',
        'email_verified',
        'locale',
        'name',
        'at_hash',
      ],
    },
  },
  good: { claims: DEX_TOKEN },
  subject: DEX_TOKEN.sub,
  wrong: {
    'a token for the client alone': {
      token: { claims: { ...DEX_TOKEN, aud: 'reader', azp: undefined } },
      log: /"aud" is "reader"/,
    },
    'an ID token of a hybrid flow': {
      token: { claims: { ...DEX_TOKEN, c_hash: 'LDktKdoQak3Pk0cnXxCltA' } },
      log: /claim "c_hash"/,
    },
  },
};
