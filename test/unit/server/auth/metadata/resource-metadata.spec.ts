import { describe, expect, it } from '@jest/globals';
import { AdvertisedScopes, DeclaredAccess } from '../../../../../lib/server/auth/access/declared-access.js';
import {
  findPublishedResource,
  ResourceMetadata,
} from '../../../../../lib/server/auth/metadata/resource-metadata.js';
import type { AuthOptions } from '../../../../../lib/server/settings/auth/auth-options.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildSettings } from '../../../support/settings.js';

const RESOURCE = 'https://desk.example.com/mcp';
const SERVED: AuthOptions = {
  resourceUri: RESOURCE,
  authorizationServers: ['https://login.example.com'],
  jwt: {},
};

function build(auth?: AuthOptions) {
  const settings = buildSettings({ ...(auth && { auth }) });
  const { tools, resources, templates, prompts, completions, addedScopes, entries } = new TestCatalog();
  const declared = new DeclaredAccess(tools, resources, templates, prompts, completions, addedScopes);
  return {
    entries,
    settings,
    metadata: new ResourceMetadata(settings, new AdvertisedScopes(settings, declared)),
  };
}

describe('ResourceMetadata (RFC 9728 §2)', () => {
  it('says who gives tokens, and how they are sent (PRM-02)', () => {
    const { metadata } = build(SERVED);
    expect(metadata.isServed).toBe(true);
    expect(JSON.parse(metadata.read() ?? '')).toEqual({
      resource: RESOURCE,
      authorization_servers: ['https://login.example.com'],
      bearer_methods_supported: ['header'],
    });
  });

  it('names scopes as the authorization server knows them, and members of its own (PRM-02)', () => {
    const { metadata } = build({
      ...SERVED,
      jwt: { scopePrefix: 'api://desk/' },
      scopesSupported: ['read', 'write'],
      resourceMetadata: { resource_name: 'The desk', left_out: undefined },
    });
    expect(JSON.parse(metadata.read() ?? '')).toEqual({
      resource: RESOURCE,
      authorization_servers: ['https://login.example.com'],
      scopes_supported: ['api://desk/read', 'api://desk/write'],
      bearer_methods_supported: ['header'],
      resource_name: 'The desk',
    });
  });

  it('is written anew when the scopes of handlers have changed, and only then (PRM-02)', () => {
    const { entries, metadata } = build(SERVED);
    expect(metadata.read()).not.toContain('scopes_supported');
    entries.tools.add({ name: 'late', requiredScopes: ['desk:late'] }, () => '');
    expect(metadata.read()).toContain('"scopes_supported":["desk:late"]');
    entries.tools.add({ name: 'open' }, () => '');
    expect(metadata.read()).toContain('"scopes_supported":["desk:late"]');
  });

  it.each<[string, AuthOptions | undefined]>([
    ['is open', undefined],
    ['has a fixed token', { bearer: 'a-fixed-token-of-the-desk' }],
    ['has a fixed token and a name', { bearer: 'a-fixed-token-of-the-desk', resourceUri: RESOURCE }],
  ])('is not there for a server that %s (PRM-01)', (_what, auth) => {
    const { metadata } = build(auth);
    expect([metadata.isServed, metadata.read()]).toEqual([false, undefined]);
  });
});

describe('findPublishedResource (RFC 9728 §3.1)', () => {
  it('finds the metadata where the standard has them, or where they are told to be (PRM-01)', () => {
    const url = 'https://desk.example.com/about';
    expect(findPublishedResource(build(SERVED).settings.auth)?.metadataUrl).toBe(
      'https://desk.example.com/.well-known/oauth-protected-resource/mcp',
    );
    expect(
      findPublishedResource(build({ ...SERVED, resourceMetadataUrl: url }).settings.auth)?.metadataUrl,
    ).toBe(url);
  });
});
