import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuthOptions, McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { CALLERS, RESOURCE } from '../../support/applications/protected-desk.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const WELL_KNOWN = '/.well-known/oauth-authorization-server';
const GIVEN = { issuer: 'https://login.example.com', token_endpoint: 'https://login.example.com/token' };

describe.each(ADAPTERS)("The mirror of an authorization server's metadata on %s", (adapter) => {
  let desk: RunningApp;
  let issuer: TestIssuer;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
  });

  afterEach(async () => {
    await desk.close();
    await issuer.stop();
  });

  async function boot(auth: Partial<AuthOptions>, options: Partial<McpOptions> = {}): Promise<void> {
    const published = { resourceUri: RESOURCE, authorizationServers: [issuer.url], bearer: CALLERS.ada };
    desk = await bootServer({
      adapter,
      options: { auth: { ...published, ...auth }, ...options },
      configure: (app) => {
        app.setGlobalPrefix('api');
        app.enableCors({ origin: 'https://shop.example.com', credentials: true });
      },
    });
  }

  const ask = (path = ''): Promise<RawResponse> =>
    sendHttp(desk.origin + WELL_KNOWN + path, { headers: { origin: 'https://inspector.example.com' } });

  it('is off unless asked for (PRM-03)', async () => {
    await boot({});
    expect([(await ask()).status, (await ask('/mcp')).status]).toEqual([404, 404]);
  });

  it('gives what it is given, at both forms (PRM-03)', async () => {
    await boot({ authorizationServerMetadata: GIVEN });
    const answers = [await ask(), await ask('/mcp')];
    expect(answers.map(({ status, json }) => [status, json])).toEqual([
      [200, GIVEN],
      [200, GIVEN],
    ]);
    for (const { headers } of answers) {
      expect(headers['content-type']).toMatch(/^application\/json\b/);
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  it('answers preflights as the metadata of the resource does (PRM-03)', async () => {
    await boot({ authorizationServerMetadata: GIVEN });
    const { status, headers } = await sendHttp(`${desk.origin}${WELL_KNOWN}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: 'https://inspector.example.com', 'access-control-request-method': 'GET' },
    });
    expect([status, headers['access-control-allow-origin']]).toEqual([204, '*']);
  });

  it('can stand on a server that names no authorization server (PRM-03)', async () => {
    await boot({ authorizationServers: [], authorizationServerMetadata: GIVEN });
    expect([(await ask()).json, (await ask('/mcp')).json]).toEqual([GIVEN, GIVEN]);
  });

  it('passes on what the first authorization server says (PRM-03)', async () => {
    const authorizationServers = [issuer.url, 'https://second.example.com'];
    await boot({ authorizationServers, authorizationServerMetadata: 'proxy' });
    expect((await ask()).json).toEqual(issuer.metadata);
    expect((await ask('/mcp')).json).toEqual(issuer.metadata);
  });

  it('asks nobody before it is asked, and once for all who ask (PRM-03)', async () => {
    await boot({ authorizationServerMetadata: 'proxy' });
    expect(issuer.metadataEndpoint.fetches).toBe(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    await ask('/mcp');
    expect(issuer.metadataEndpoint.fetches).toBe(1);
  });

  it('says when to come back while the authorization server is not there, and bothers it no more (PRM-03)', async () => {
    await boot({ authorizationServerMetadata: 'proxy' });
    issuer.breakDown();
    for (const { status, headers, json } of [await ask(), await ask(), await ask('/mcp')]) {
      expect([status, json]).toEqual([503, { error: 'temporarily_unavailable' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    expect(issuer.metadataEndpoint.fetches).toBe(1);
  });

  it('passes nothing on that names another issuer (PRM-03)', async () => {
    await boot({ authorizationServerMetadata: 'proxy' });
    issuer.metadata['issuer'] = 'https://evil.example';
    const { status, text } = await ask();
    expect(status).toBe(503);
    expect(text).not.toContain('evil');
  });
});
