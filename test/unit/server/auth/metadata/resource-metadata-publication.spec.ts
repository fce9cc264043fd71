import { describe, expect, it } from '@jest/globals';
import { findPublishedResource } from '../../../../../lib/server/auth/metadata/resource-metadata.js';
import { buildAuthSettings } from '../../../../../lib/server/settings/auth/auth-options.js';

const resourceUri = 'https://desk.example.com/mcp';
const authorizationServers = ['https://login.example.com', 'https://other.example.com'];

describe('findPublishedResource', () => {
  it('gives what clients are told, with the metadata where RFC 9728 has it (PRM-01) (PRM-02)', () => {
    expect(findPublishedResource(buildAuthSettings({ resourceUri, authorizationServers }))).toEqual({
      uri: resourceUri,
      option: 'auth.resourceUri',
      authorizationServers,
      metadataUrl: 'https://desk.example.com/.well-known/oauth-protected-resource/mcp',
      extras: {},
    });
  });

  it('gives what is configured besides, but for what is not set (PRM-02)', () => {
    const settings = buildAuthSettings({
      resourceUri,
      authorizationServers,
      resourceMetadataUrl: 'https://cdn.example.com/desk.json',
      resourceMetadata: { resource_name: 'Desk', resource_documentation: undefined },
    });
    const resource = findPublishedResource(settings);
    expect(resource?.metadataUrl).toBe('https://cdn.example.com/desk.json');
    expect(Object.entries(resource?.extras ?? {})).toEqual([['resource_name', 'Desk']]);
  });

  it('gives nothing where clients get their tokens in other ways (AUTH-14)', () => {
    expect(findPublishedResource(undefined)).toBeUndefined();
    expect(findPublishedResource(buildAuthSettings({ authorizationServers }))).toBeUndefined();
    expect(findPublishedResource(buildAuthSettings({ resourceUri }))).toBeUndefined();
  });
});
