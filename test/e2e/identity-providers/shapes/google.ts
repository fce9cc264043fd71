import { json, type Reply } from '../../../support/authorization/party.js';
import type { ProviderShape } from '../provider-shape.interface.js';

const CLIENT = '407408718192-desk.apps.googleusercontent.com';

const GOOD = 'ya29.a0AfB_byD-an-access-token-of-ada';
const OF_ANOTHER_CLIENT = 'ya29.a0AfB_byD-an-access-token-for-others';

const INFO = {
  azp: CLIENT,
  aud: CLIENT,
  sub: '110169484474386276334',
  scope: 'openid https://www.googleapis.com/auth/userinfo.email',
  email: 'ada@example.com',
  email_verified: 'true',
  access_type: 'online',
};

/** Numbers are texts there; a token that is not known is a bad request. */
const tellOfToken: Reply = (response, request) => {
  const token = new URLSearchParams(request.path.split('?')[1]).get('access_token');
  const exp = String(Math.floor(Date.now() / 1000) + 3599);
  const times = { exp, expires_in: '3599' };
  if (token === GOOD) return json({ ...INFO, ...times })(response, request);
  if (token === OF_ANOTHER_CLIENT) {
    const other = '81234567890-other.apps.googleusercontent.com';
    return json({ ...INFO, ...times, azp: other, aud: other })(response, request);
  }
  return json({ error: 'invalid_token', error_description: 'Invalid Value' }, 400)(response, request);
};

export const google: ProviderShape = {
  page: 'google',
  sources: [
    'https://accounts.google.com/.well-known/openid-configuration',
    'https://cloud.google.com/docs/authentication/token-types#access-tokens',
    'https://docs.cloud.google.com/nodejs/docs/reference/google-auth-library/latest/google-auth-library/tokeninfo',
  ],
  metadata: {
    url: 'https://accounts.google.com/.well-known/openid-configuration',
    document: {
      issuer: 'https://accounts.google.com',
      authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
      device_authorization_endpoint: 'https://oauth2.googleapis.com/device/code',
      token_endpoint: 'https://oauth2.googleapis.com/token',
      userinfo_endpoint: 'https://openidconnect.googleapis.com/v1/userinfo',
      revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
      jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
      response_types_supported: ['code', 'token', 'id_token', 'code token', 'code id_token', 'none'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid', 'email', 'profile'],
      token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      claims_supported: ['aud', 'email', 'email_verified', 'exp', 'iat', 'iss', 'name', 'picture', 'sub'],
      code_challenge_methods_supported: ['plain', 'S256'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
    },
  },
  replies: { 'https://oauth2.googleapis.com/tokeninfo': tellOfToken },
  good: GOOD,
  subject: '110169484474386276334',
  wrong: {
    'an access token of another client': {
      token: OF_ANOTHER_CLIENT,
      log: /81234567890-other\.apps\.googleusercontent\.com/,
    },
    'an access token that is over': {
      token: 'ya29.a0AfB_byD-an-old-access-token',
      log: /Google does not know it/,
    },
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: {
          iss: 'https://accounts.google.com',
          azp: CLIENT,
          aud: CLIENT,
          sub: '110169484474386276334',
          at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
        },
      },
      log: /Google does not know it/,
    },
  },
};
