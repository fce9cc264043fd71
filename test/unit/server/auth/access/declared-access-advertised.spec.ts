import { describe, expect, it } from '@jest/globals';
import { AdvertisedScopes, DeclaredAccess } from '../../../../../lib/server/auth/access/declared-access.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildSettings } from '../../../support/settings.js';

const SERVED = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
};

function build(auth: AuthOptions | undefined, ...declared: readonly string[]) {
  const catalog = new TestCatalog();
  for (const scope of declared) {
    catalog.entries.tools.add({ name: scope.replace(':', '-'), requiredScopes: [scope] }, () => '');
  }
  const { tools, resources, templates, prompts, completions, addedScopes } = catalog;
  const access = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
  return { scopes: new AdvertisedScopes(buildSettings({ ...(auth && { auth }) }), access), catalog };
}

type Row = readonly [options: Partial<AuthOptions>, declared: readonly string[], expected: readonly string[]];

describe('The scopes that a client should ask for at first', () => {
  it.each<Row>([
    [{}, [], []],
    [{}, ['desk:read', 'desk:write'], ['desk:read', 'desk:write']],
    [{ requiredScopes: ['desk:use'] }, ['desk:write'], ['desk:use']],
    [{ scopesSupported: ['desk:use'] }, [], ['desk:use']],
    [{ scopesSupported: ['desk:use'] }, ['desk:write'], ['desk:write']],
    [{ requiredScopes: ['desk:use'], scopesSupported: ['desk:all'] }, [], ['desk:use']],
    [{ scopesSupported: ['openid', 'desk:use', 'offline_access'] }, [], ['desk:use']],
    [{}, ['openid', 'desk:read'], ['desk:read']],
    [{ requiredScopes: ['openid', 'desk:use'] }, [], ['openid', 'desk:use']],
  ])('are with %j and %j on handlers: %j (STEP-06) (AUTH-14)', (options, declared, expected) => {
    expect(build({ ...SERVED, jwt: {}, ...options }, ...declared).scopes.initial).toEqual(expected);
  });

  it('follow the catalog while the server runs (STEP-06)', () => {
    const { scopes, catalog } = build({ ...SERVED, jwt: {} }, 'desk:read');
    catalog.entries.tools.add({ name: 'late', requiredScopes: ['desk:late'] }, () => '');
    expect([scopes.initial, scopes.supported]).toEqual([
      ['desk:read', 'desk:late'],
      ['desk:read', 'desk:late'],
    ]);
  });
});

describe('The scopes that metadata show', () => {
  it.each<Row>([
    [{}, [], []],
    [{}, ['desk:write', 'desk:read'], ['desk:write', 'desk:read']],
    [{ requiredScopes: ['desk:use'] }, ['desk:write', 'desk:use'], ['desk:use', 'desk:write']],
    [{ scopesSupported: ['desk:all'] }, ['desk:write'], ['desk:all']],
    [{ scopesSupported: [] }, ['desk:write'], []],
    [{ requiredScopes: ['openid'] }, ['offline_access', 'desk:read'], ['desk:read']],
    [{ scopesSupported: ['offline_access', 'desk:read'] }, [], ['offline_access', 'desk:read']],
  ])('are with %j and %j on handlers: %j (PRM-02) (STEP-06)', (options, declared, expected) => {
    expect(build({ ...SERVED, jwt: {}, ...options }, ...declared).scopes.supported).toEqual(expected);
  });
});

describe('What clients put before a scope', () => {
  it.each<[Partial<AuthOptions>, string]>([
    [{}, ''],
    [{ jwt: {} }, ''],
    [{ jwt: { scopePrefix: 'api://desk/' } }, 'api://desk/'],
    [{ jwt: [{}, { scopePrefix: 'api://desk/' }] }, 'api://desk/'],
  ])('is by %j %j (STEP-06)', (options, prefix) => {
    expect(build({ ...SERVED, bearer: 'a-fixed-token-of-the-desk', ...options }).scopes.prefix).toBe(prefix);
  });
});

describe('The scopes of an open server', () => {
  it('are those of its handlers, for nobody to ask for (AUTH-01)', () => {
    const { scopes } = build(undefined, 'desk:read');
    expect([scopes.initial, scopes.supported, scopes.prefix]).toEqual([['desk:read'], ['desk:read'], '']);
  });
});
