import type { ProviderShape } from '../provider-shape.interface.js';

const CLERK = 'https://clerk.desk.example.com';

const CLERK_TOKEN = {
  iss: CLERK,
  sub: 'user_2vYVtestTESTtestTESTtestTESTtest',
  client_id: 'client_2VTWUzvGC5UhdJCNx6xG1D98edc',
  scope: 'openid profile email',
  jti: 'oat_2xKa9Bgv7NxMRDFyQw8LpZ3cTmU1vHjE',
};

/** What the web application of the same instance sends: `azp` is its origin. */
const CLERK_SESSION_TOKEN = {
  azp: 'https://app.desk.example.com',
  fva: [0, -1],
  iss: CLERK,
  jti: '10db7f531a90cb2faea4',
  sid: 'sess_2vYVtestTESTtestTESTtestTESTtest',
  sts: 'active',
  sub: CLERK_TOKEN.sub,
  v: 2,
};

const CLERK_FACTS = {
  sources: [
    'https://clerk.com/docs/guides/configure/auth-strategies/oauth/how-clerk-implements-oauth',
    'https://clerk.com/changelog/2026-01-08-jwt-oauth-access-tokens',
    'https://github.com/clerk/javascript, packages/backend/src/fixtures/machine.ts',
    'https://clerk.com/docs/guides/sessions/session-tokens',
  ],
  metadata: {
    url: `${CLERK}/.well-known/oauth-authorization-server`,
    document: {
      issuer: CLERK,
      authorization_endpoint: `${CLERK}/oauth/authorize`,
      token_endpoint: `${CLERK}/oauth/token`,
      revocation_endpoint: `${CLERK}/oauth/token/revoke`,
      introspection_endpoint: `${CLERK}/oauth/token_info`,
      registration_endpoint: `${CLERK}/oauth/register`,
      userinfo_endpoint: `${CLERK}/oauth/userinfo`,
      jwks_uri: `${CLERK}/.well-known/jwks.json`,
      response_types_supported: ['code'],
      response_modes_supported: ['form_post', 'query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'none', 'client_secret_post'],
      scopes_supported: ['openid', 'profile', 'email', 'public_metadata', 'private_metadata'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'email', 'name'],
      code_challenge_methods_supported: ['S256'],
    },
  },
  good: { header: { typ: 'at+jwt' }, claims: CLERK_TOKEN },
  subject: CLERK_TOKEN.sub,
} as const;

export const clerk: ProviderShape = {
  ...CLERK_FACTS,
  page: 'clerk',
  wrong: {
    'an access token of another client': {
      token: {
        header: { typ: 'at+jwt' },
        claims: { ...CLERK_TOKEN, client_id: 'client_3AnotherAnotherAnotherAnother' },
      },
      log: /"aud" is absent/,
    },
    'a session token of the web application': {
      token: { header: { typ: 'JWT' }, claims: CLERK_SESSION_TOKEN },
      log: /"typ" is "JWT"/,
    },
    'an opaque access token': { token: 'oat_8XOIucKvqHVr5tYP123456789abcdefghij', log: /it is not a JWT/ },
  },
};

export const clerkForAll: ProviderShape = {
  ...CLERK_FACTS,
  page: 'clerk with clients that register themselves',
  block: 1,
  wrong: {
    'a session token of the web application': {
      token: { header: { typ: 'at+jwt' }, claims: CLERK_SESSION_TOKEN },
      log: /"aud" is absent/,
    },
  },
};

const PROJECT = 'https://abcdefghijklmnopqrst.supabase.co';
const SUPABASE = `${PROJECT}/auth/v1`;

const SUPABASE_TOKEN = {
  sub: '8ccaa7af-909f-44e7-84cb-67cdccb56be6',
  role: 'authenticated',
  aud: 'authenticated',
  user_id: '8ccaa7af-909f-44e7-84cb-67cdccb56be6',
  email: 'ada@example.com',
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: {},
  client_id: '9a8b7c6d-5e4f-3a2b-1c0d-9e8f7a6b5c4d',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: 1735815600 }],
  session_id: 'be7f3a1c-2f4d-4a5b-8c6d-7e8f9a0b1c2d',
  is_anonymous: false,
  iss: SUPABASE,
};

/** What the web application of the same project sends. */
const { client_id: _client, user_id: _user, ...SUPABASE_SESSION } = SUPABASE_TOKEN;

const SUPABASE_FACTS = {
  sources: [
    'https://supabase.com/docs/guides/auth/oauth-server/token-security',
    'https://supabase.com/docs/guides/auth/oauth-server/getting-started',
    'https://supabase.com/docs/guides/auth/jwt-fields',
  ],
  metadata: {
    url: `${PROJECT}/.well-known/oauth-authorization-server/auth/v1`,
    document: {
      issuer: SUPABASE,
      authorization_endpoint: `${SUPABASE}/oauth/authorize`,
      token_endpoint: `${SUPABASE}/oauth/token`,
      registration_endpoint: `${SUPABASE}/oauth/clients/register`,
      userinfo_endpoint: `${SUPABASE}/oauth/userinfo`,
      jwks_uri: `${SUPABASE}/.well-known/jwks.json`,
      scopes_supported: ['openid', 'profile', 'email', 'phone'],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256', 'HS256', 'ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256', 'plain'],
    },
  },
  good: { header: { typ: 'JWT' }, claims: SUPABASE_TOKEN },
  subject: SUPABASE_TOKEN.sub,
} as const;

export const supabase: ProviderShape = {
  ...SUPABASE_FACTS,
  page: 'supabase',
  wrong: {
    'a token for visitors without an account': {
      token: { header: { typ: 'JWT' }, claims: { iss: SUPABASE, role: 'anon', aud: 'anon' } },
      log: /"aud" is "anon"/,
    },
    'an ID token': {
      token: {
        header: { typ: 'JWT' },
        claims: {
          iss: SUPABASE,
          sub: SUPABASE_TOKEN.sub,
          aud: SUPABASE_TOKEN.client_id,
          nonce: 'n-0S6_WzA2Mj',
        },
      },
      log: /claim "nonce"/,
    },
  },
};

export const supabaseByClient: ProviderShape = {
  ...SUPABASE_FACTS,
  page: 'supabase with client IDs',
  block: 1,
  wrong: {
    'a session token of the web application': {
      token: { header: { typ: 'JWT' }, claims: SUPABASE_SESSION },
      log: /"client_id" is absent/,
    },
    'an access token of another client': {
      token: {
        header: { typ: 'JWT' },
        claims: { ...SUPABASE_TOKEN, client_id: '00000000-5e4f-3a2b-1c0d-9e8f7a6b5c4d' },
      },
      log: /"client_id" is "00000000/,
    },
  },
};
