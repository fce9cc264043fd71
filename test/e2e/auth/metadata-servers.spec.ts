import { afterEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { McpModule, type AuthOptions, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { CALLERS } from '../../support/applications/protected-desk.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

interface Server extends Partial<McpModuleExtras>, Partial<McpOptions> {
  readonly server: string;
  readonly auth?: AuthOptions;
}

const publish = (resourceUri: string): AuthOptions => ({
  resourceUri,
  authorizationServers: ['https://login.example.com'],
  bearer: CALLERS.ada,
});

const at = (path: string) => publish(`https://desk.example.com${path}`);

describe.each(ADAPTERS)('The metadata of several servers of one application on %s', (adapter) => {
  let running: RunningApp;

  afterEach(() => running.close());

  async function boot(servers: readonly Server[], configure?: (app: INestApplication) => void) {
    const imports = servers.map((options) =>
      McpModule.forRoot({
        serverInfo: { name: options.server, version: '1.0.0' },
        mcpPath: `/${options.server}`,
        ...options,
      }),
    );
    running = await bootApp({ adapter, imports, ...(configure && { configure }) });
  }

  /** Gives the path of the resource that the metadata at a path describes. */
  async function resourceAt(path: string): Promise<string | undefined> {
    const { status, json } = await sendHttp(running.origin + WELL_KNOWN + path);
    return status === 200 ? new URL((json as { resource: string }).resource).pathname : undefined;
  }

  it('is at the form of the path of each (PRM-01) (MOD-05)', async () => {
    await boot([
      { server: 'a', auth: at('/a') },
      { server: 'b', auth: at('/b') },
    ]);
    expect([await resourceAt('/a'), await resourceAt('/b')]).toEqual(['/a', '/b']);
  });

  it.each<[string, readonly Server[], string]>([
    [
      'the first where none is the default',
      [
        { server: 'a', auth: at('/a') },
        { server: 'b', auth: at('/b') },
      ],
      '/a',
    ],
    [
      'the one that is marked',
      [
        { server: 'a', auth: at('/a') },
        { server: 'b', auth: at('/b'), isDefault: true },
      ],
      '/b',
    ],
    [
      'the one without a key',
      [
        { server: 'a', auth: at('/a') },
        { server: 'default', auth: at('/default') },
      ],
      '/default',
    ],
    [
      'the only one that is protected',
      [
        { server: 'default' },
        { server: 'b', auth: { bearer: CALLERS.ada } },
        { server: 'c', auth: at('/c') },
      ],
      '/c',
    ],
    [
      'the one that clients know by the origin alone',
      [
        { server: 'default', auth: at('/default') },
        { server: 'b', auth: at('') },
      ],
      '/',
    ],
  ])('is at the root form that of %s (PRM-01) (MOD-05)', async (_, servers, path) => {
    await boot(servers);
    expect(await resourceAt('')).toBe(path);
  });

  it("leaves the form of an endpoint's path to that endpoint (PRM-01) (MOD-05)", async () => {
    await boot([
      { server: 'a', auth: at('/b') },
      { server: 'b', auth: at('/a') },
    ]);
    expect([await resourceAt('/a'), await resourceAt('/b')]).toEqual(['/b', '/a']);
  });

  it('is found by the hosts that a proxy tells apart (PRM-01) (MOD-05)', async () => {
    await boot([
      { server: 'a', auth: publish('https://a.example.com/mcp') },
      { server: 'b', auth: publish('https://b.example.com/mcp') },
    ]);
    const { json } = await sendHttp(`${running.origin}${WELL_KNOWN}/b`);
    expect(json).toMatchObject({ resource: 'https://b.example.com/mcp' });
  });

  it('is there for those alone that are protected (PRM-01) (MOD-05)', async () => {
    await boot([{ server: 'a' }, { server: 'b', auth: at('/b') }]);
    expect([await resourceAt('/a'), await resourceAt('/b')]).toEqual([undefined, '/b']);
  });

  it('stands apart under a prefix that some have and some have not (PRM-01) (MOD-09)', async () => {
    await boot(
      [
        { server: 'a', auth: at('/api/a'), useGlobalPrefix: true },
        { server: 'b', auth: at('/b') },
      ],
      (app) => void app.setGlobalPrefix('api'),
    );
    expect([await resourceAt('/api/a'), await resourceAt('/b'), await resourceAt('')]).toEqual([
      '/api/a',
      '/b',
      '/api/a',
    ]);
  });
});
