import { json, type Reply } from '../../../support/authorization/party.js';
import type { ProviderShape } from '../provider-shape.interface.js';

const ZITADEL = 'https://desk-abc123.zitadel.cloud';
const PROJECT = '197623512345678901';
const API = '197624512345678902@desk';

const ACTIVE = 'an-opaque-access-token-of-zitadel-for-ada';
const FOR_ANOTHER_PROJECT = 'an-opaque-access-token-of-zitadel-for-others';

const introspect: Reply = (response, request) => {
  const token = new URLSearchParams(request.body).get('token');
  const now = Math.floor(Date.now() / 1000);
  const said = {
    active: true,
    scope: 'openid profile desk:read',
    client_id: '197625512345678903@desk',
    token_type: 'Bearer',
    exp: now + 43_199,
    iat: now,
    nbf: now,
    sub: '197620512345678904',
    aud: ['197625512345678903@desk', API, PROJECT],
    iss: ZITADEL,
    jti: '197626512345678905',
    username: 'ada@example.com',
    name: 'Ada',
    preferred_username: 'ada@example.com',
    [`urn:zitadel:iam:org:project:${PROJECT}:roles`]: { reader: { '197619512345678906': 'example.com' } },
  };
  if (token === ACTIVE) return json(said)(response, request);
  if (token === FOR_ANOTHER_PROJECT) return json({ ...said, aud: ['1', '2'] })(response, request);
  return json({ active: false })(response, request);
};

export const zitadel: ProviderShape = {
  page: 'zitadel',
  sources: [
    'https://zitadel.com/docs/apis/openidoauth/claims',
    'https://zitadel.com/docs/guides/integrate/token-introspection/basic-auth',
    'https://github.com/zitadel/oidc, pkg/op/token.go, pkg/op/discovery.go',
  ],
  metadata: {
    url: `${ZITADEL}/.well-known/openid-configuration`,
    document: {
      issuer: ZITADEL,
      authorization_endpoint: `${ZITADEL}/oauth/v2/authorize`,
      token_endpoint: `${ZITADEL}/oauth/v2/token`,
      introspection_endpoint: `${ZITADEL}/oauth/v2/introspect`,
      userinfo_endpoint: `${ZITADEL}/oidc/v1/userinfo`,
      revocation_endpoint: `${ZITADEL}/oauth/v2/revoke`,
      end_session_endpoint: `${ZITADEL}/oidc/v1/end_session`,
      device_authorization_endpoint: `${ZITADEL}/oauth/v2/device_authorization`,
      jwks_uri: `${ZITADEL}/oauth/v2/keys`,
      scopes_supported: ['openid', 'profile', 'email', 'phone', 'address', 'offline_access'],
      response_types_supported: ['code', 'id_token', 'id_token token'],
      response_modes_supported: ['query', 'fragment', 'form_post'],
      grant_types_supported: ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: [
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      code_challenge_methods_supported: ['S256'],
      request_parameter_supported: true,
    },
  },
  replies: { [`${ZITADEL}/oauth/v2/introspect`]: introspect },
  good: ACTIVE,
  subject: '197620512345678904',
  wrong: {
    'a token for another project': { token: FOR_ANOTHER_PROJECT, log: /"aud" is \["1","2"\]/ },
    'a token that was revoked': { token: 'an-opaque-access-token-of-the-past', log: /not active/ },
  },
};

/** As an application of Zitadel gives it whose access tokens are set to be JWTs: they name neither client nor scopes. */
export const zitadelJwt: ProviderShape = {
  ...zitadel,
  page: 'zitadel with JWTs',
  block: 1,
  good: {
    header: { typ: 'JWT' },
    claims: {
      iss: ZITADEL,
      sub: '197620512345678904',
      aud: ['197625512345678903@desk', API, PROJECT],
      jti: '197626512345678905',
    },
  },
  wrong: {
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: {
          iss: ZITADEL,
          sub: '197620512345678904',
          aud: ['197625512345678903@desk', PROJECT],
          azp: '197625512345678903@desk',
          at_hash: 'GKlH62ujLglHjxdM6ezzyQ',
        },
      },
      log: /claim "at_hash"/,
    },
  },
};
