import { describe, expect, it } from '@jest/globals';
import { findWarnings } from '../../../../../lib/server/auth/start-up/start-up-warnings.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import type { McpOptions } from '../../../../../lib/server/settings/mcp-options.js';
import { buildSettings } from '../../../support/settings.js';

const PUBLISHED = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  jwt: {},
} as const;

const DEVELOPMENT = { endpointPath: '/mcp', isProduction: false, guards: [] };
const PRODUCTION = { endpointPath: '/mcp', isProduction: true, guards: [] };

const find = (auth: Partial<AuthOptions>, surroundings = DEVELOPMENT, options: Partial<McpOptions> = {}) =>
  findWarnings(buildSettings({ auth: { ...PUBLISHED, ...auth }, ...options }), surroundings);

describe('What is warned of when a protected server starts', () => {
  it.each<[string, Partial<AuthOptions>]>([
    ['a URL with the path of the endpoint', {}],
    [
      'a path of its own, where the metadata is told to be elsewhere',
      { resourceUri: 'https://desk.example.com/desk', resourceMetadataUrl: 'https://x.example/m' },
    ],
    ['a query', { resourceUri: 'https://desk.example.com/mcp?tenant=a' }],
    ['an issuer of another name', { jwt: { issuer: 'https://tokens.example.com' } }],
    ['scopes of a resource', { requiredScopes: ['desk:read'], scopesSupported: ['desk:read'] }],
  ])('is not %s (AUTH-19)', (_, auth) => {
    expect(find(auth, PRODUCTION)).toEqual([]);
  });

  it.each(['http://localhost:3000/mcp', 'http://127.0.0.1:3000/mcp', 'https://[::1]/mcp'])(
    'is %s in production alone (AUTH-19)',
    (resourceUri) => {
      expect(find({ resourceUri })).toEqual([]);
      expect(find({ resourceUri }, PRODUCTION)).toEqual([
        expect.stringMatching(/points clients to their own machine: set it to the URL/),
      ]);
    },
  );

  it('is a fixed token that lacks a scope that every request needs, and not the token itself (AUTH-19)', () => {
    const requiredScopes = ['desk:use', 'desk:read'];
    const whole = { token: 'a-fixed-token-of-the-desk', scopes: ['desk:read', 'desk:use'] };
    expect(find({ requiredScopes, bearer: whole })).toEqual([]);
    const [trap, ...others] = find({
      requiredScopes,
      bearer: [whole, 'another-token-of-the-desk', { token: 'the-third-token-of-it', scopes: ['desk:use'] }],
    });
    expect(others).toEqual([]);
    expect(trap).toMatch(
      /"auth\.bearer" contains 2 tokens without .*403: grant them "desk:use", "desk:read"/,
    );
    expect(trap).not.toContain('token-of');
  });

  it.each<[string, Partial<AuthOptions>]>([
    ['"auth.insecureHosts" contains "keycloak", "dex"', { insecureHosts: ['keycloak', 'dex'] }],
    ['"auth.ignoreIssuerSlash" is true', { ignoreIssuerSlash: true }],
    ['"auth.jwt.toleratedClaims" contains "nonce"', { jwt: { toleratedClaims: ['nonce'] } }],
    ['"auth.jwt.clientsWithoutAudience" contains "a"', { jwt: [{}, { clientsWithoutAudience: ['a'] }] }],
    ['tokens from any client are accepted', { jwt: { clientsWithoutAudience: ['*'] } }],
    ['"auth.jwt.audienceClaim" is "client_id"', { jwt: { audienceClaim: 'client_id' } }],
    [
      '"auth.introspection.toleratedClaims" contains "at_hash"',
      { introspection: { clientId: 'a', clientSecret: 'b', toleratedClaims: ['at_hash'] } },
    ],
    [
      '"auth.introspection.unsafeAllowMissingAudience" is true',
      { introspection: { clientId: 'a', clientSecret: 'b', unsafeAllowMissingAudience: true } },
    ],
    [
      '"auth.exchange.assertionAudience" is "token_endpoint"',
      { exchange: { clientId: 'a', privateKey: {}, assertionAudience: 'token_endpoint' } },
    ],
  ])('is a default that is given up: %s (PEER-04)', (text, auth) => {
    expect(find(auth)).toEqual([expect.stringContaining(text)]);
    expect(find(auth, PRODUCTION)).toEqual(find(auth));
  });

  it('is no issuer that differs by a slash where that is not to matter (PEER-04)', () => {
    const slashed = { jwt: { issuer: 'https://login.example.com/' } };
    expect(find(slashed)).toEqual([expect.stringContaining('compared exactly')]);
    expect(find({ ...slashed, ignoreIssuerSlash: true })).toEqual([
      expect.stringContaining('"auth.ignoreIssuerSlash"'),
    ]);
  });

  it('is a resource over plain HTTP (AUTH-19)', () => {
    expect(find({ resourceUri: 'http://desk.example.com/mcp' })).toEqual([
      expect.stringMatching(/unencrypted: serve the endpoint over HTTPS/),
    ]);
  });

  it.each([
    ['http://desk.example.com/mcp', '"publicUrl" is "http://desk.example.com/mcp", so tokens are sent'],
    ['https://desk.example.com/mcp/', '"publicUrl" is "https://desk.example.com/mcp/", which some clients'],
    ['https://desk.example.com/tools', '"publicUrl" has the path "/tools"'],
  ])('is named by the option that has it: %s (AUTH-19)', (publicUrl, begin) => {
    const { authorizationServers, jwt } = PUBLISHED;
    const settings = buildSettings({ publicUrl, auth: { authorizationServers, jwt } });
    expect(findWarnings(settings, DEVELOPMENT)).toEqual([expect.stringContaining(begin)]);
  });

  it.each([
    ['https://desk.example.com/mcp/', 'https://desk.example.com/mcp'],
    ['https://Desk.example.com/mcp', 'https://desk.example.com/mcp'],
    ['https://desk.example.com:443/mcp', 'https://desk.example.com/mcp'],
  ])('is a resource that can be spelled in two ways: %s (AUTH-19)', (resourceUri, plain) => {
    expect(find({ resourceUri })).toEqual([expect.stringContaining(`from "${plain}": use the latter`)]);
  });

  it.each([
    ['https://desk.example.com/tools', '/tools'],
    ['https://desk.example.com', '/'],
  ])('is a path that a proxy must change: that of %s (AUTH-19)', (resourceUri, path) => {
    const [trap, ...rest] = find({ resourceUri });
    expect(trap).toContain(`has the path "${path}", but the endpoint is at "/mcp"`);
    expect(trap).toContain('or use "https://desk.example.com/mcp"');
    expect(rest).toEqual([]);
  });

  it('is an issuer that differs by a slash (AUTH-19)', () => {
    expect(find({ jwt: [{ issuer: 'https://login.example.com/' }, {}] })).toEqual([
      expect.stringMatching(
        /"https:\/\/login\.example\.com\/", but .* contains "https:\/\/login\.example\.com": .* compared exactly/,
      ),
    ]);
  });

  it.each(['requiredScopes', 'scopesSupported'] as const)(
    'is a scope in "%s" that no resource needs (AUTH-19) (PRM-02)',
    (option) => {
      expect(find({ [option]: ['openid', 'desk:read', 'offline_access'] })).toEqual([
        expect.stringMatching(
          new RegExp(`^"auth\\.${option}" contains "openid", "offline_access", .* remove it$`),
        ),
      ]);
    },
  );

  it('is a list for everybody that depends on the caller (AUTH-19)', () => {
    const cache = { tools: { ttlMs: 1, scope: 'public' }, prompts: { ttlMs: 1, scope: 'private' } } as const;
    expect(find({}, DEVELOPMENT, { cache })).toEqual([]);
    expect(find({ filterLists: true }, DEVELOPMENT, { cache })).toEqual([
      expect.stringMatching(
        /^"cache\.tools\.scope" is "public", but served as "private".*: set it to "private"$/,
      ),
    ]);
  });

  it('is everything at once (AUTH-19)', () => {
    expect(find({ resourceUri: 'http://Desk.example.com/', requiredScopes: ['openid'] })).toHaveLength(4);
  });

  it('is nothing where clients are told of no authorization server, or the server is open (AUTH-19)', () => {
    const bearer = { bearer: 'a-fixed-token-of-the-desk', resourceUri: 'http://desk.example.com/x/' };
    expect(findWarnings(buildSettings({ auth: bearer }), PRODUCTION)).toEqual([]);
    expect(findWarnings(buildSettings(), PRODUCTION)).toEqual([]);
  });
});
