import { RESOURCE } from '../../../support/applications/protected-desk.js';
import type { ProviderShape } from '../provider-shape.interface.js';

const POOL = 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI';
const POOL_DOMAIN = 'https://desk.auth.eu-central-1.amazoncognito.com';

const COGNITO_TOKEN = {
  sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  'cognito:groups': ['testers'],
  iss: POOL,
  version: 2,
  client_id: '1example23456789',
  origin_jti: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  event_id: '64f513be-32db-42b0-b78e-b02127b4f463',
  token_use: 'access',
  scope: `openid ${RESOURCE}/desk:read`,
  jti: 'aaaaaaaa-bbbb-cccc-dddd-ffffffffffff',
  username: 'ada',
};

const COGNITO_ID_TOKEN = {
  sub: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  iss: POOL,
  'cognito:username': 'ada',
  aud: '1example23456789',
  token_use: 'id',
  email: 'ada@example.com',
};

const COGNITO = {
  sources: [
    'https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-access-token.html',
    'https://docs.aws.amazon.com/cognito/latest/developerguide/federation-endpoints.html',
  ],
  metadata: {
    url: `${POOL}/.well-known/openid-configuration`,
    document: {
      authorization_endpoint: `${POOL_DOMAIN}/oauth2/authorize`,
      end_session_endpoint: `${POOL_DOMAIN}/logout`,
      id_token_signing_alg_values_supported: ['RS256'],
      issuer: POOL,
      jwks_uri: `${POOL}/.well-known/jwks.json`,
      response_types_supported: ['code', 'token'],
      revocation_endpoint: `${POOL_DOMAIN}/oauth2/revoke`,
      scopes_supported: ['openid', 'email', 'phone', 'profile'],
      subject_types_supported: ['public'],
      token_endpoint: `${POOL_DOMAIN}/oauth2/token`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      userinfo_endpoint: `${POOL_DOMAIN}/oauth2/userInfo`,
    },
  },
  // Everything that is no path of a pool is a bad request there.
  absence: 400,
  subject: 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee',
  isSilentOnPkce: true,
} as const;

export const cognito: ProviderShape = {
  ...COGNITO,
  page: 'cognito',
  good: { claims: { ...COGNITO_TOKEN, aud: RESOURCE } },
  wrong: {
    'an access token without an audience': {
      token: { claims: COGNITO_TOKEN },
      log: /"aud" is absent.*list the clients in "auth\.jwt\.clientsWithoutAudience" \(this token has "1example23456789" as its "client_id"\)/,
    },
    'an ID token': { token: { claims: COGNITO_ID_TOKEN }, log: /claim "token_use" is "id"/ },
  },
};

export const cognitoByClient: ProviderShape = {
  ...COGNITO,
  page: 'cognito with client IDs',
  block: 1,
  good: { claims: COGNITO_TOKEN },
  wrong: {
    'an access token of another client': {
      token: { claims: { ...COGNITO_TOKEN, client_id: '9example98765432' } },
      log: /"aud" is absent/,
    },
    'an access token of the client for another API': {
      token: { claims: { ...COGNITO_TOKEN, aud: 'https://other.example.com/mcp' } },
      log: /"aud" is "https:\/\/other\.example\.com\/mcp"/,
    },
    'an ID token': { token: { claims: COGNITO_ID_TOKEN }, log: /claim "token_use" is "id"/ },
  },
};

const TENANT = 'aaaabbbb-0000-cccc-1111-dddd2222eeee';
const LOGIN = `https://login.microsoftonline.com/${TENANT}`;
const API = '00001111-aaaa-2222-bbbb-3333cccc4444';

const ENTRA_TOKEN = {
  aud: API,
  iss: `${LOGIN}/v2.0`,
  aio: 'AXQAi/8TAAAA',
  azp: '11112222-bbbb-3333-cccc-4444dddd5555',
  azpacr: '0',
  name: 'Ada',
  oid: 'aaaaaaaa-0000-1111-2222-bbbbbbbbbbbb',
  preferred_username: 'ada@example.com',
  rh: '0.AAAAA',
  scp: 'desk:read',
  sub: 'HKZpfaHyWadeOouYlitjrI-KffTm222X5rrV3xDqfKQ',
  tid: TENANT,
  uti: 'AbCdEf',
  ver: '2.0',
};

export const entra: ProviderShape = {
  page: 'entra',
  sources: [
    'https://learn.microsoft.com/en-us/entra/identity-platform/access-token-claims-reference',
    'https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc',
  ],
  metadata: {
    url: `${LOGIN}/v2.0/.well-known/openid-configuration`,
    document: {
      token_endpoint: `${LOGIN}/oauth2/v2.0/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
      jwks_uri: `${LOGIN}/discovery/v2.0/keys`,
      response_modes_supported: ['query', 'fragment', 'form_post'],
      subject_types_supported: ['pairwise'],
      id_token_signing_alg_values_supported: ['RS256'],
      response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      issuer: `${LOGIN}/v2.0`,
      request_uri_parameter_supported: false,
      userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
      authorization_endpoint: `${LOGIN}/oauth2/v2.0/authorize`,
      device_authorization_endpoint: `${LOGIN}/oauth2/v2.0/devicecode`,
      http_logout_supported: true,
      frontchannel_logout_supported: true,
      end_session_endpoint: `${LOGIN}/oauth2/v2.0/logout`,
      kerberos_endpoint: `${LOGIN}/kerberos`,
      tenant_region_scope: 'EU',
      cloud_instance_name: 'microsoftonline.com',
      cloud_graph_host_name: 'graph.windows.net',
      msgraph_host: 'graph.microsoft.com',
      rbac_url: 'https://pas.windows.net',
    },
  },
  good: { header: { typ: 'JWT' }, claims: ENTRA_TOKEN },
  subject: ENTRA_TOKEN.sub,
  wrong: {
    'a token for Microsoft Graph': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...ENTRA_TOKEN, aud: '00000003-0000-0000-c000-000000000000' },
      },
      log: /"aud" is "00000003-0000-0000-c000-000000000000"/,
    },
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...ENTRA_TOKEN, aud: ENTRA_TOKEN.azp, scp: undefined, azp: undefined, nonce: '678910' },
      },
      log: /claim "nonce"/,
    },
  },
  isSilentOnPkce: true,
};
