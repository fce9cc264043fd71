import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { discoverMcpAuth, type DiscoverOptions, type McpAuthInfo } from 'nestjs-mcp/client';
import { Landscape, PATHS } from '../../support/authorization/landscape.js';
import { hang, json, redirect, status } from '../../support/authorization/party.js';
import { until, within } from '../../support/until.js';

const [FIRST, SECOND, THIRD] = PATHS.candidates;

let land: Landscape;

beforeEach(async () => {
  land = await Landscape.start();
});
afterEach(() => land.stop());

function discover(options: DiscoverOptions = {}, serverUrl = land.serverUrl): Promise<McpAuthInfo> {
  return discoverMcpAuth(serverUrl, options);
}

function advertise(path: string): DiscoverOptions {
  return { challenge: { resourceMetadataUrl: land.server.origin + path } };
}

describe('The ladder of discovery (RFC 9728 §3, §5)', () => {
  it('begins with the URL in the header, and asks for no other (CLI-02)', async () => {
    land.server.at(PATHS.advertised, json(land.resourceMetadata({ scopes_supported: ['desk:read'] })));
    land.issuer.at(FIRST, json(land.serverMetadata()));
    await expect(discover(advertise(PATHS.advertised))).resolves.toEqual({
      prm: {
        resource: land.serverUrl,
        authorization_servers: [land.issuerUrl],
        scopes_supported: ['desk:read'],
      },
      legacyDiscovery: false,
      authorizationServer: land.serverMetadata(),
    });
    expect(land.asked).toEqual([`server ${PATHS.advertised}`, `issuer ${FIRST}`]);
  });

  it('goes by the path, then by the root, where there is no header (CLI-02)', async () => {
    land.server.at(PATHS.rootForm, json(land.resourceMetadata()));
    land.issuer.at(FIRST, json(land.serverMetadata()));
    await expect(discover()).resolves.toHaveProperty('prm.resource', land.serverUrl);
    expect(land.server.paths).toEqual([PATHS.pathForm, PATHS.rootForm]);
  });

  it('asks at the root once for a server without a path (CLI-02)', async () => {
    await discover({}, land.server.origin);
    expect(land.server.paths).toEqual([PATHS.rootForm, PATHS.atOrigin]);
  });

  it('takes a server without metadata for its own authorization server (CLI-02)', async () => {
    land.server.at(PATHS.atOrigin, json(land.metadataAtOrigin()));
    const found = await discover();
    expect(found).toEqual({
      prm: undefined,
      legacyDiscovery: true,
      authorizationServer: land.metadataAtOrigin(),
    });
    expect(land.asked).toEqual(
      [PATHS.pathForm, PATHS.rootForm, PATHS.atOrigin].map((path) => `server ${path}`),
    );
  });

  it('makes up the endpoints of a server that says nothing at all (CLI-02)', async () => {
    const { origin } = land.server;
    const found = await discover();
    expect(found).toMatchObject({ prm: undefined, legacyDiscovery: true });
    expect(found.authorizationServer).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      code_challenge_methods_supported: ['S256'],
    });
  });

  it('sends nothing along that is worth anything (CLI-13)', async () => {
    await discover();
    const sent = land.server.requests.flatMap(({ method, headers, body }) => [
      `${method} ${body} ${headers.authorization ?? '-'} ${headers.cookie ?? '-'}`,
    ]);
    expect(new Set(sent)).toEqual(new Set(['GET  - -']));
  });

  it('reaches its end over TLS (CLI-02) (CLI-10)', async () => {
    await land.stop();
    land = await Landscape.start('https');
    land.server.at(PATHS.pathForm, json(land.resourceMetadata()));
    land.issuer.at(FIRST, json(land.serverMetadata()));
    await expect(discover(land.fetch)).resolves.toHaveProperty('authorizationServer.issuer', land.issuerUrl);
  });

  it('ends when whoever asked gives up (CLI-02)', async () => {
    land.server.at(PATHS.pathForm, hang());
    const stop = new AbortController();
    const found = discover({ signal: stop.signal });
    await until(() => land.asked.length > 0, 'the first request');
    const reason = new Error('changed my mind');
    stop.abort(reason);
    await expect(within(found, 'the end')).rejects.toBe(reason);
  });

  it('ends in time, however long each step of it may take (CLI-02)', async () => {
    for (const path of [PATHS.pathForm, PATHS.rootForm, PATHS.atOrigin]) {
      land.server.at(path, (response) => setTimeout(() => response.writeHead(404).end(), 80));
    }
    await expect(within(discover({ searchTimeoutMs: 120 }), 'the end')).rejects.toMatchObject({
      code: 'discovery_failed',
      url: land.serverUrl,
      message: expect.stringContaining('took longer than 120 ms'),
    });
  });
});

describe('Redirects of discovery', () => {
  it.each([301, 302, 303, 307, 308])('are followed within an origin: %d (CLI-10)', async (code) => {
    land.server.at(PATHS.pathForm, redirect('/elsewhere', code));
    land.server.at('/elsewhere', json(land.resourceMetadata()));
    land.issuer.at(FIRST, json(land.serverMetadata()));
    await expect(discover()).resolves.toHaveProperty('legacyDiscovery', false);
  });

  it('may lead to nothing, which is a definite answer too (CLI-02)', async () => {
    land.server.at(PATHS.pathForm, redirect('/gone'));
    await expect(discover()).resolves.toHaveProperty('legacyDiscovery', true);
    expect(land.server.paths).toEqual([PATHS.pathForm, '/gone', PATHS.rootForm, PATHS.atOrigin]);
  });

  it.each([
    ['without a target', status(302)],
    ['to what is no URL', redirect('http://')],
    ['to a file', redirect('file:///etc/passwd')],
  ])('%s end it (CLI-03)', async (_, reply) => {
    land.server.at(PATHS.pathForm, reply);
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
    expect(land.server.paths).toEqual([PATHS.pathForm]);
  });
});

describe('Metadata of authorization servers (RFC 8414 §3, OpenID Connect Discovery §4)', () => {
  beforeEach(() => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata()));
  });

  it('is looked for at three places for an issuer with a path, and not at its root (CLI-04)', async () => {
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed', url: land.issuerUrl });
    expect(land.issuer.paths).toEqual([FIRST, SECOND, THIRD]);
  });

  it('is looked for at two places for an issuer without a path (CLI-04)', async () => {
    land.server.at(
      PATHS.pathForm,
      json(land.resourceMetadata({ authorization_servers: [land.issuer.origin] })),
    );
    await expect(discover()).rejects.toMatchObject({ code: 'discovery_failed' });
    expect(land.issuer.paths).toEqual([PATHS.atOrigin, '/.well-known/openid-configuration']);
  });

  it.each([
    ['another spelling', (issuer: string) => `${issuer}/`],
    ['another case', (issuer: string) => issuer.replace('http', 'HTTP')],
    ['no issuer', () => undefined],
    ['a list', (issuer: string) => [issuer]],
  ])('counts only under the very name that was asked for, not with %s (CLI-04)', async (_, rename) => {
    land.issuer.at(FIRST, json(land.serverMetadata({ issuer: rename(land.issuerUrl) })));
    await expect(discover()).rejects.toMatchObject({ code: 'issuer_mismatch', expected: land.issuerUrl });
  });

  it('counts where the issuer ends with a slash in both places (CLI-04)', async () => {
    const issuer = `${land.issuerUrl}/`;
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ authorization_servers: [issuer] })));
    land.issuer.at(FIRST, json(land.serverMetadata({ issuer })));
    await expect(discover()).resolves.toHaveProperty('authorizationServer.issuer', issuer);
  });

  it('is that of the server which is chosen among several (CLI-04)', async () => {
    const issuers = ['https://login.example.com', land.issuerUrl];
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ authorization_servers: issuers })));
    land.issuer.at(FIRST, json(land.serverMetadata()));
    const found = await discover({ selectIssuer: (named) => named.at(-1) });
    expect(found.authorizationServer.issuer).toBe(land.issuerUrl);
  });

  it.each([undefined, 'https://unnamed.example.com'])(
    'is not looked for where %j is chosen (CLI-04)',
    async (choice) => {
      await expect(discover({ selectIssuer: () => choice })).rejects.toThrow('"selectIssuer"');
      expect(land.issuer.paths).toEqual([]);
    },
  );
});

describe('The "resource" of metadata (RFC 9728 §3.3)', () => {
  beforeEach(() => {
    land.issuer.at(FIRST, json(land.serverMetadata()));
  });

  it.each(['', '/', '/mcp', '/mcp/'])('may be the origin with %j (CLI-05)', async (path) => {
    const resource = land.server.origin + path;
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ resource })));
    const serverUrl = `${land.serverUrl}/`;
    await expect(discover({}, serverUrl)).resolves.toHaveProperty('prm.resource', resource);
  });

  it.each(['/mc', '/mcp/desk', '/other', '/mcp#part', '/mcp?tenant=2'])(
    'may not be the origin with %j (CLI-05)',
    async (path) => {
      land.server.at(PATHS.pathForm, json(land.resourceMetadata({ resource: land.server.origin + path })));
      await expect(discover()).rejects.toMatchObject({ code: 'resource_mismatch' });
      expect(land.issuer.paths).toEqual([]);
    },
  );

  it.each([undefined, null, 7, ['https://desk.example.com']])('may not be %j (CLI-05)', async (resource) => {
    land.server.at(PATHS.pathForm, json(land.resourceMetadata({ resource })));
    await expect(discover()).rejects.toMatchObject({ code: 'resource_mismatch', resource: undefined });
  });
});
