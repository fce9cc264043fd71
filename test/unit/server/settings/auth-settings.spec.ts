import { describe, expect, it } from '@jest/globals';
import type { AuthOptions } from '../../../../lib/server/settings/auth/auth-options.js';
import { buildSettings } from '../../support/settings.js';

const ISSUER = 'https://login.example.com';
const OTHER = 'https://other.example.com';
const RESOURCE = 'https://desk.example.com/mcp';
const TOKEN = 'a-fixed-token-of-the-desk';
/** What settings say of the option that has the resource. */
const OF_RESOURCE = { resourceOption: 'auth.resourceUri' };
const SERVED = { resourceUri: RESOURCE, authorizationServers: [ISSUER, OTHER] };
const CREDENTIALS = { clientId: 'desk', clientSecret: 'secret' };
const tracerProvider = { getTracer: () => ({}) };

const STRICT = { insecureHosts: [], ignoreIssuerSlash: false };

const JWT_DEFAULTS = {
  takesDpop: false,
  ...STRICT,
  issuers: [ISSUER, OTHER],
  audiences: [RESOURCE],
  audienceClaim: 'aud',
  algorithms: [
    ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
    ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
  ],
  types: ['at+jwt'],
  toleratedClaims: [],
  clientsWithoutAudience: [],
  scopeClaims: ['scp'],
  scopePrefix: '',
  clockToleranceSeconds: 5,
  cacheTtlMs: 60_000,
  cacheSize: 10_000,
  jwks: {
    cooldownMs: 30_000,
    maxAgeMs: 600_000,
    maxStaleMs: 86_400_000,
    timeoutMs: 5000,
    prefetch: false,
  },
};

const INTROSPECTION_DEFAULTS = {
  takesDpop: false,
  ...STRICT,
  ...CREDENTIALS,
  toleratedClaims: [],
  issuer: ISSUER,
  audiences: [RESOURCE],
  authenticationMethod: 'client_secret_basic',
  unsafeAllowMissingAudience: false,
  cacheTtlMs: 10_000,
  graceMs: 10_000,
  cacheSize: 10_000,
  timeoutMs: 5000,
};

const DEFAULTS = {
  ...STRICT,
  authorizationServers: [],
  requiredScopes: [],
  jwt: [],
  bearer: [],
  resourceOption: 'publicUrl',
  resourceMetadata: {},
  filterLists: false,
  endStreamsWithToken: false,
};

const build = (auth: AuthOptions, publicUrl?: string) =>
  buildSettings({ auth, ...(publicUrl !== undefined && { publicUrl }) }).auth;

describe('buildAuthSettings', () => {
  it('gives nothing where tokens are not asked for (AUTH-01)', () => {
    expect(buildSettings()).not.toHaveProperty('auth');
  });

  it('gives the documented defaults (MOD-11)', () => {
    expect(build({ bearer: TOKEN })).toStrictEqual({ ...DEFAULTS, bearer: [{ token: TOKEN, scopes: [] }] });
    expect(build({ ...SERVED, jwt: {}, introspection: CREDENTIALS })).toStrictEqual({
      ...DEFAULTS,
      ...SERVED,
      ...OF_RESOURCE,
      jwt: [JWT_DEFAULTS],
      introspection: INTROSPECTION_DEFAULTS,
    });
  });

  it('keeps what is given and fills the rest of each group in (MOD-11)', () => {
    const shared = {
      ...SERVED,
      scopesSupported: ['desk:read'],
      requiredScopes: ['desk:read'],
      resourceMetadata: { resource_name: 'Desk' },
      resourceMetadataUrl: 'https://desk.example.com/metadata',
      authorizationServerMetadata: 'proxy',
      validator: { validate: () => undefined },
      filterLists: true,
      endStreamsWithToken: true,
    } as const;
    const jwt = { types: [], algorithms: ['ES256'], cacheTtlMs: 0, tracerProvider };
    const introspection = { ...CREDENTIALS, endpoint: `${ISSUER}/ask`, cacheTtlMs: 0 };
    expect(build({ ...shared, jwt: { ...jwt, jwks: { cooldownMs: 1 } }, introspection })).toStrictEqual({
      ...STRICT,
      ...shared,
      ...OF_RESOURCE,
      jwt: [{ ...JWT_DEFAULTS, ...jwt, jwks: { ...JWT_DEFAULTS.jwks, cooldownMs: 1 } }],
      bearer: [],
      introspection: { ...INTROSPECTION_DEFAULTS, ...introspection, graceMs: 0 },
    });
  });

  it('takes what is undefined for what is not given (MOD-11)', () => {
    const unset = (...names: string[]) => Object.fromEntries(names.map((name) => [name, undefined]));
    const jwks = unset('cooldownMs', 'maxAgeMs', 'maxStaleMs', 'timeoutMs', 'prefetch');
    const jwt = { ...unset('jwksUrl', ...Object.keys(JWT_DEFAULTS), 'issuer', 'audience'), jwks };
    const introspection = { ...unset('endpoint', ...Object.keys(INTROSPECTION_DEFAULTS)), ...CREDENTIALS };
    const bearer = { token: TOKEN, ...unset('subject', 'scopes') };
    const rest = unset('scopesSupported', 'requiredScopes', 'validator', 'resourceMetadata', 'filterLists');
    delete (jwt as Record<string, unknown>)['issuers'];
    delete (jwt as Record<string, unknown>)['audiences'];
    delete (introspection as Record<string, unknown>)['issuer'];
    delete (introspection as Record<string, unknown>)['audiences'];
    const options = { ...SERVED, ...rest, jwt, introspection, bearer };
    expect(build(options as unknown as AuthOptions)).toStrictEqual({
      ...DEFAULTS,
      ...SERVED,
      ...OF_RESOURCE,
      jwt: [JWT_DEFAULTS],
      bearer: [{ token: TOKEN, scopes: [] }],
      introspection: INTROSPECTION_DEFAULTS,
    });
  });

  describe('of fixed tokens', () => {
    it.each<[NonNullable<AuthOptions['bearer']>, object[]]>([
      [TOKEN, [{ token: TOKEN, scopes: [] }]],
      [{ token: TOKEN, subject: 'billing' }, [{ token: TOKEN, subject: 'billing', scopes: [] }]],
      [
        [TOKEN, { token: 'another', scopes: ['a'] }],
        [
          { token: TOKEN, scopes: [] },
          { token: 'another', scopes: ['a'] },
        ],
      ],
    ])('makes of %j a list (AUTH-03)', (bearer, expected) => {
      expect(build({ bearer })?.bearer).toStrictEqual(expected);
    });
  });

  describe('of JWTs', () => {
    it('makes one of them a list, and keeps several in their order (AUTH-18)', () => {
      const jwt = [{ issuer: ISSUER }, { issuer: OTHER, cacheTtlMs: 1 }];
      expect(build({ ...SERVED, jwt: { issuer: OTHER } })?.jwt).toMatchObject([{ issuers: [OTHER] }]);
      expect(build({ ...SERVED, jwt })?.jwt).toMatchObject([
        { issuers: [ISSUER], cacheTtlMs: 60_000 },
        { issuers: [OTHER], cacheTtlMs: 1 },
      ]);
    });

    it.each<[string | readonly string[] | undefined, readonly string[]]>([
      [undefined, [RESOURCE]],
      ['desk', ['desk']],
      [
        ['desk', 'help'],
        ['desk', 'help'],
      ],
    ])('takes as audience: %j %j (AUTH-07)', (audience, audiences) => {
      const given = audience !== undefined && { audience };
      const settings = build({ ...SERVED, jwt: { ...given }, introspection: { ...CREDENTIALS, ...given } });
      expect(settings?.jwt[0]?.audiences).toEqual(audiences);
      expect(settings?.introspection?.audiences).toEqual(audiences);
    });

    it('never takes a symmetric algorithm by default (AUTH-04)', () => {
      const algorithms = build({ ...SERVED, jwt: {} })?.jwt[0]?.algorithms ?? [];
      expect(algorithms.filter((name) => !/^(?:(?:RS|PS|ES)(?:256|384|512)|Ed.+)$/.test(name))).toEqual([]);
      expect(algorithms).toHaveLength(11);
    });
  });
});

describe('The public URL and the resource', () => {
  it('stand for each other where one of them is given (PRM-02)', () => {
    const auth = { authorizationServers: [ISSUER], jwt: {} };
    const byPublicUrl = buildSettings({ publicUrl: RESOURCE, auth });
    const byResource = buildSettings({ auth: { ...auth, resourceUri: RESOURCE } });
    for (const settings of [byPublicUrl, byResource]) {
      expect(settings.auth?.resourceUri).toBe(RESOURCE);
      expect(settings.auth?.jwt[0]?.audiences).toEqual([RESOURCE]);
      expect(settings.publicUrl?.href).toBe(RESOURCE);
    }
  });

  it('are what they are where both are given (PRM-02)', () => {
    const { publicUrl, auth } = buildSettings({
      publicUrl: 'https://edge.example.com/mcp',
      auth: { ...SERVED, jwt: {} },
    });
    expect([publicUrl?.hostname, auth?.resourceUri]).toEqual(['edge.example.com', RESOURCE]);
    expect(auth?.jwt[0]?.audiences).toEqual([RESOURCE]);
  });

  it('are left open by fixed tokens (AUTH-14)', () => {
    const settings = buildSettings({ auth: { bearer: TOKEN } });
    expect(settings).not.toHaveProperty('publicUrl');
    expect(settings.auth).not.toHaveProperty('resourceUri');
  });

  it('are kept as they are written, which is what tokens are meant for (AUTH-07)', () => {
    const resourceUri = 'https://Desk.example.com/mcp/';
    expect(build({ ...SERVED, resourceUri, jwt: {} })).toMatchObject({
      resourceUri,
      jwt: [{ audiences: [resourceUri] }],
    });
  });
});
