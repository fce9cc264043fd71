import { describe, expect, it } from '@jest/globals';
import {
  buildResourceMetadataUrl,
  buildResourceMetadataUrls,
  buildServerMetadataUrls,
  buildWellKnownPath,
} from '../../../../lib/core/oauth/metadata.js';

describe('buildResourceMetadataUrl (RFC 9728 §3.1)', () => {
  it.each([
    ['https://desk.example.com/mcp', 'https://desk.example.com/.well-known/oauth-protected-resource/mcp'],
    ['https://desk.example.com/mcp/', 'https://desk.example.com/.well-known/oauth-protected-resource/mcp'],
    ['https://desk.example.com', 'https://desk.example.com/.well-known/oauth-protected-resource'],
    ['https://desk.example.com/', 'https://desk.example.com/.well-known/oauth-protected-resource'],
    ['http://localhost:3000/a/b', 'http://localhost:3000/.well-known/oauth-protected-resource/a/b'],
    [
      'https://desk.example.com/mcp?tenant=1',
      'https://desk.example.com/.well-known/oauth-protected-resource/mcp?tenant=1',
    ],
  ])('puts the well-known path between host and path of %s (PRM-01)', (resource, url) => {
    expect(buildResourceMetadataUrl(resource)).toBe(url);
  });
});

describe('buildResourceMetadataUrls (RFC 9728 §3.1)', () => {
  it('gives the form with the path, then that of the root (CLI-02)', () => {
    expect(buildResourceMetadataUrls('https://desk.example.com/mcp#part')).toEqual([
      'https://desk.example.com/.well-known/oauth-protected-resource/mcp',
      'https://desk.example.com/.well-known/oauth-protected-resource',
    ]);
  });

  it.each(['https://desk.example.com', 'https://desk.example.com/'])(
    'gives one URL for %s (CLI-02)',
    (url) => {
      expect(buildResourceMetadataUrls(url)).toEqual([
        'https://desk.example.com/.well-known/oauth-protected-resource',
      ]);
    },
  );
});

describe('buildServerMetadataUrls (RFC 8414 §3.1)', () => {
  it.each(['https://login.example.com/realms/desk', 'https://login.example.com/realms/desk/'])(
    'gives the three places of %s, and none at the root (AUTH-04) (PRM-03)',
    (issuer) => {
      expect(buildServerMetadataUrls(issuer)).toEqual([
        'https://login.example.com/.well-known/oauth-authorization-server/realms/desk',
        'https://login.example.com/.well-known/openid-configuration/realms/desk',
        'https://login.example.com/realms/desk/.well-known/openid-configuration',
      ]);
    },
  );

  it.each(['https://login.example.com', 'https://login.example.com/'])(
    'gives the two places of %s (AUTH-04) (PRM-03)',
    (issuer) => {
      expect(buildServerMetadataUrls(issuer)).toEqual([
        'https://login.example.com/.well-known/oauth-authorization-server',
        'https://login.example.com/.well-known/openid-configuration',
      ]);
    },
  );
});

describe('buildWellKnownPath', () => {
  it.each([
    ['/mcp', '/.well-known/oauth-protected-resource/mcp'],
    ['/mcp/', '/.well-known/oauth-protected-resource/mcp'],
    ['/', '/.well-known/oauth-protected-resource'],
    ['', '/.well-known/oauth-protected-resource'],
  ])('puts %j behind the well-known path (PRM-01)', (path, whole) => {
    expect(buildWellKnownPath('oauth-protected-resource', path)).toBe(whole);
  });
});
