import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, VersioningType, type INestApplication } from '@nestjs/common';
import {
  McpCatalog,
  McpModule,
  RequireScope,
  Tool,
  type AuthOptions,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { CALLERS, PUBLISHED, RESOURCE } from '../../support/applications/protected-desk.js';
import { sendHttp, type RawRequest } from '../../support/clients/raw-http.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const serverInfo = { name: 'desk', version: '1.0.0' };

@Injectable()
class ScopedTools {
  @Tool({ description: 'Searches' })
  @RequireScope('desk:read')
  search(): string {
    return 'found';
  }

  @Tool({ description: 'Closes' })
  @RequireScope('desk:write', 'desk:read')
  close(): string {
    return 'closed';
  }
}

const optionsOf = (auth: Partial<AuthOptions> = {}): McpOptions => ({
  serverInfo,
  auth: { ...PUBLISHED, bearer: CALLERS.ada, ...auth },
});

describe.each(ADAPTERS)('The metadata of a protected resource (RFC 9728) on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (
    options: McpOptions & McpModuleExtras,
    configure?: (app: INestApplication) => void,
  ): Promise<void> => {
    desk = await bootApp({
      adapter,
      imports: [McpModule.forRoot(options)],
      providers: [ScopedTools],
      ...(configure && { configure }),
    });
  };
  const ask = (path: string, request?: RawRequest) => sendHttp(desk.origin + path, request);
  const read = async (path: string) => (await ask(path)).json;
  const statusOf = async (path: string) => (await ask(path)).status;

  /** Gives the path of the URL that a challenge of the endpoint names. */
  const findAdvertised = async (path: string): Promise<string> => {
    const { status, headers } = await perRequest(desk.origin + path).request('tools/list');
    expect(status).toBe(401);
    const [, url] = /resource_metadata="([^"]+)"/.exec(headers['www-authenticate'] ?? '') ?? [];
    return new URL(url ?? '').pathname;
  };

  it('names the resource, its authorization servers and scopes (PRM-02)', async () => {
    await boot(optionsOf());
    expect(await read(`${WELL_KNOWN}/mcp`)).toEqual({
      resource: RESOURCE,
      authorization_servers: ['https://login.example.com'],
      scopes_supported: ['desk:read', 'desk:write'],
      bearer_methods_supported: ['header'],
    });
  });

  it('is at the form of the path and at the root form, the same to the letter (PRM-01)', async () => {
    await boot(optionsOf());
    const answers = [await ask(`${WELL_KNOWN}/mcp`), await ask(WELL_KNOWN)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(await statusOf(`${WELL_KNOWN}/other`)).toBe(404);
  });

  it('is JSON that caches may keep (PRM-01)', async () => {
    await boot(optionsOf());
    const { headers, text } = await ask(`${WELL_KNOWN}/mcp`);
    expect(headers['content-type']).toMatch(/^application\/json\b/);
    expect(headers['cache-control']).toMatch(/^public, max-age=[1-9]\d*$/);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  it('is answered to HEAD without its body (PRM-01)', async () => {
    await boot(optionsOf());
    const { text } = await ask(`${WELL_KNOWN}/mcp`);
    const head = await ask(`${WELL_KNOWN}/mcp`, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(text)));
  });

  it('is what challenges name (PRM-01) (AUTH-14)', async () => {
    await boot(optionsOf());
    expect(await statusOf(await findAdvertised('/mcp'))).toBe(200);
  });

  it('is never built from what a request says of the host (PRM-02)', async () => {
    await boot(optionsOf());
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-prefix': '/evil',
      forwarded: 'host=evil.example',
    };
    const { status, text } = await ask(`${WELL_KNOWN}/mcp`, { headers });
    expect(status).toBe(200);
    expect(text).not.toContain('evil');
    expect(JSON.parse(text)).toMatchObject({ resource: RESOURCE });
  });

  it('names the resource exactly as it is configured (PRM-02)', async () => {
    const resourceUri = 'https://Desk.example.com:443/mcp/';
    await boot(optionsOf({ resourceUri }));
    expect(await read(`${WELL_KNOWN}/mcp`)).toMatchObject({ resource: resourceUri });
  });

  it('takes the URL of the server where that of the resource is not given (PRM-02)', async () => {
    const { resourceUri: _, ...auth } = PUBLISHED;
    await boot({ serverInfo, publicUrl: RESOURCE, auth: { ...auth, bearer: CALLERS.ada } });
    expect(await read(`${WELL_KNOWN}/mcp`)).toMatchObject({ resource: RESOURCE });
  });

  it('shows the scopes that are configured in the place of those that handlers require (PRM-02)', async () => {
    await boot(optionsOf({ scopesSupported: ['desk:all'] }));
    expect(await read(WELL_KNOWN)).toMatchObject({ scopes_supported: ['desk:all'] });
  });

  it('shows scopes as clients ask for them (PRM-02)', async () => {
    const jwt = { jwksUrl: 'http://127.0.0.1:9/keys', scopePrefix: 'api://desk/' };
    await boot(optionsOf({ jwt, scopesSupported: ['read'] }));
    expect(await read(WELL_KNOWN)).toMatchObject({ scopes_supported: ['api://desk/read'] });
  });

  it('has further members as they are given (PRM-02)', async () => {
    const resourceMetadata = {
      resource_name: 'The desk',
      resource_documentation: 'https://desk.example.com',
    };
    await boot(optionsOf({ resourceMetadata: { ...resourceMetadata, resource: undefined } }));
    expect(await read(WELL_KNOWN)).toMatchObject({ resource: RESOURCE, ...resourceMetadata });
  });

  it('follows the catalog (PRM-02)', async () => {
    await boot(optionsOf({ requiredScopes: ['desk:read'] }));
    const { tools } = desk.app.get(McpCatalog);
    tools.add({ name: 'purge', requiredScopes: ['desk:admin'] }, () => 'purged');
    expect(await read(WELL_KNOWN)).toMatchObject({
      scopes_supported: ['desk:read', 'desk:write', 'desk:admin'],
    });
    tools.remove('purge');
    expect(await read(WELL_KNOWN)).toMatchObject({ scopes_supported: ['desk:read', 'desk:write'] });
  });

  it('leaves scopes out where there are none (PRM-02)', async () => {
    desk = await bootApp({ adapter, imports: [McpModule.forRoot(optionsOf())] });
    expect(await read(WELL_KNOWN)).not.toHaveProperty('scopes_supported');
  });

  it('is not there without authorization servers (PRM-01) (AUTH-14)', async () => {
    await boot({ serverInfo, auth: { bearer: CALLERS.ada } });
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/mcp`)]).toEqual([404, 404]);
    const preflight = await ask(WELL_KNOWN, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'GET' },
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('is not there on an open server (PRM-01)', async () => {
    desk = await bootServer({ adapter });
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/mcp`)]).toEqual([404, 404]);
  });

  it('comes of options that a factory gives (PRM-01) (MOD-02)', async () => {
    const useFactory = async (): Promise<McpOptions> => ({ ...optionsOf(), mcpPath: '/desk/mcp' });
    desk = await bootApp({ adapter, imports: [McpModule.forRootAsync({ useFactory })] });
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/desk/mcp`)]).toEqual([200, 200]);
  });

  it('stays at the origin under a global prefix, which moves the application (PRM-01) (MOD-09)', async () => {
    await boot(optionsOf(), (app) => void app.setGlobalPrefix('api'));
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/mcp`)]).toEqual([200, 200]);
    expect([await statusOf(`/api${WELL_KNOWN}`), await statusOf(`/api${WELL_KNOWN}/mcp`)]).toEqual([
      404, 404,
    ]);
  });

  it('has the prefix behind its name where the endpoint has it before (PRM-01) (MOD-09)', async () => {
    const resourceUri = 'https://desk.example.com/api/v2/mcp';
    await boot(
      { ...optionsOf({ resourceUri }), useGlobalPrefix: true },
      (app) => void app.setGlobalPrefix('/api/v2/', { exclude: ['health'] }),
    );
    expect(await findAdvertised('/api/v2/mcp')).toBe(`${WELL_KNOWN}/api/v2/mcp`);
    expect([await statusOf(`${WELL_KNOWN}/api/v2/mcp`), await statusOf(WELL_KNOWN)]).toEqual([200, 200]);
    expect(await statusOf(`${WELL_KNOWN}/mcp`)).toBe(404);
  });

  it.each([
    ['path', { type: VersioningType.URI as const, defaultVersion: '1' }],
    ['header', { type: VersioningType.HEADER as const, header: 'x-version', defaultVersion: '2' }],
  ])('stays where it is under versions in the %s (PRM-01) (MOD-09)', async (_, versioning) => {
    await boot(optionsOf(), (app) => void app.setGlobalPrefix('api').enableVersioning(versioning));
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/mcp`)]).toEqual([200, 200]);
  });

  it.each([
    ['another path', 'https://desk.example.com/tools/desk', '/tools/desk'],
    ['no path', 'https://desk.example.com', ''],
    ['the root path', 'https://desk.example.com/', ''],
  ])(
    'is where challenges say behind a proxy that gives the endpoint %s (PRM-01)',
    async (_, resourceUri, path) => {
      await boot(optionsOf({ resourceUri }));
      expect(await findAdvertised('/mcp')).toBe(WELL_KNOWN + path);
      for (const served of [WELL_KNOWN + path, WELL_KNOWN, `${WELL_KNOWN}/mcp`]) {
        expect(await read(served)).toMatchObject({ resource: resourceUri });
      }
    },
  );

  it('starts though no router takes the path that clients know (PRM-01)', async () => {
    await boot(optionsOf({ resourceUri: 'https://desk.example.com/a:b/{c}/*' }));
    expect([await statusOf(WELL_KNOWN), await statusOf(`${WELL_KNOWN}/mcp`)]).toEqual([200, 200]);
  });
});
