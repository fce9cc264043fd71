import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  McpConfigurationError,
  McpModule,
  Prompt,
  RequireScope,
  Tool,
  type AuthOptions,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { CALLERS, METADATA, PUBLISHED, RESOURCE } from '../../support/applications/protected-desk.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

@Injectable()
class ScopedHandlers {
  @Tool({ description: 'Searches' })
  @RequireScope('desk:read')
  search(): string {
    return 'found';
  }

  @Prompt({ description: 'Greets' })
  @RequireScope('desk:greet')
  greet(): string {
    return 'Hello';
  }
}

const buildOptions = (auth: Partial<AuthOptions>, options: Partial<McpOptions> = {}): McpOptions => ({
  serverInfo,
  auth: { ...PUBLISHED, bearer: CALLERS.ada, ...auth },
  ...options,
});

describe.each(ADAPTERS)('What a protected server says when it starts, on %s', (adapter) => {
  const { NODE_ENV } = process.env;
  let desk: RunningApp | undefined;
  let log: RecordedLog;

  beforeEach(() => {
    log = new RecordedLog();
  });

  afterEach(async () => {
    process.env['NODE_ENV'] = NODE_ENV;
    await desk?.close();
    desk = undefined;
  });

  async function boot(...servers: readonly (McpOptions & McpModuleExtras)[]): Promise<void> {
    desk = await bootApp({
      adapter,
      imports: servers.map((options) => McpModule.forRoot(options)),
      providers: [ScopedHandlers],
      nest: { logger: log },
    });
  }

  /** Nest gives who writes behind what is written. */
  const find = (level: 'log' | 'warn') => {
    const texts = log.find(level).filter((text) => text.endsWith(' McpAuth'));
    return texts.map((text) => text.slice(0, -' McpAuth'.length));
  };
  const reports = () => find('log');
  const warnings = () => find('warn');

  it('is what to register with the identity provider (AUTH-19)', async () => {
    const bearer = { ...CALLERS.ada, scopes: ['desk:use'] };
    await boot(buildOptions({ requiredScopes: ['desk:use'], bearer }));
    expect(reports()).toHaveLength(1);
    for (const fact of [RESOURCE, 'https://login.example.com', METADATA, 'desk:use desk:read desk:greet']) {
      expect(reports()[0]).toContain(fact);
    }
    expect(warnings()).toEqual([]);
  });

  it('names the audience and the issuer that tokens have, where they are others (AUTH-19)', async () => {
    const jwt = {
      issuer: 'https://tokens.example.com',
      jwksUrl: 'https://login.example.com/keys',
      audience: ['api://desk', 'desk-app'],
      scopePrefix: 'api://desk/',
    };
    await boot(buildOptions({ jwt }));
    for (const fact of ['api://desk desk-app', 'https://tokens.example.com', 'api://desk/']) {
      expect(reports()[0]).toContain(fact);
    }
  });

  it('is said once by each server that is protected (AUTH-19)', async () => {
    await boot(
      buildOptions({}, { mcpPath: '/mcp' }),
      { server: 'open', serverInfo, mcpPath: '/open' },
      {
        server: 'admin',
        ...buildOptions({ resourceUri: 'https://desk.example.com/admin' }, { mcpPath: '/admin' }),
      },
    );
    expect(reports().map((text) => /"(\w+)"/.exec(text)?.[1])).toEqual(['default', 'admin']);
  });

  it('is little where tokens are fixed (AUTH-19)', async () => {
    await boot({ serverInfo, auth: { bearer: CALLERS.ada } });
    expect(reports()).toEqual([expect.stringContaining('auth.bearer')]);
    expect(reports()[0]).not.toContain('audience');
  });

  it('holds no token and no secret (AUTH-15) (AUTH-19)', async () => {
    const introspection = { clientId: 'desk', clientSecret: 'secret-of-the-desk' };
    await boot(buildOptions({ introspection }));
    expect(log.text).toContain(RESOURCE);
    for (const secret of [CALLERS.ada.token, introspection.clientSecret]) {
      expect(log.text).not.toContain(secret);
    }
  });

  it('is nothing on an open server (AUTH-19)', async () => {
    desk = await bootServer({ adapter, nest: { logger: log } });
    expect([reports(), warnings()]).toEqual([[], []]);
  });

  it('is nothing in a command, which serves nobody (AUTH-19)', async () => {
    const root = { module: class AppModule {}, imports: [McpModule.forRoot(buildOptions({}))] };
    const context = await NestFactory.createApplicationContext(root, { logger: log });
    expect([reports(), warnings()]).toEqual([[], []]);
    await context.close();
  });

  it('names the server that a warning is about, and what to do (AUTH-19)', async () => {
    await boot(buildOptions({ resourceUri: 'http://desk.example.com/mcp' }));
    expect(warnings()).toEqual([
      expect.stringMatching(/^Server "default": "auth\.resourceUri" .*serve the endpoint over HTTPS/),
    ]);
  });

  it('warns of a path that a proxy must change, as the application has it (AUTH-19) (MOD-09)', async () => {
    desk = await bootApp({
      adapter,
      imports: [McpModule.forRoot(buildOptions({}, { useGlobalPrefix: true }))],
      nest: { logger: log },
      configure: (app) => void app.setGlobalPrefix('api'),
    });
    expect(warnings()).toEqual([expect.stringContaining('use "https://desk.example.com/api/mcp"')]);
  });

  it('warns of a URL of this machine in production alone (AUTH-19)', async () => {
    const options = buildOptions({ resourceUri: 'http://localhost:3000/mcp' });
    await boot(options);
    expect(warnings()).toEqual([]);
    await desk?.close();
    process.env['NODE_ENV'] = 'production';
    await boot(options);
    expect(warnings()).toEqual([expect.stringContaining('points clients to their own machine')]);
  });

  it.each([
    ['x-forwarded-host', 'desk.example.com, 10.0.0.1'],
    ['forwarded', 'for=10.0.0.2;host="desk.example.com";proto=https, host=10.0.0.1'],
  ])('goes on, once, with a proxy of another host in "%s" (AUTH-19)', async (name, value) => {
    await boot(buildOptions({ resourceUri: 'http://localhost:3000/mcp' }));
    const { url } = desk!;
    for (const host of ['localhost:8080', 'host=127.0.0.1', '"', value, value]) {
      const { status } = await perRequest(url).request('tools/list', {}, { headers: { [name]: host } });
      expect(status).toBe(401);
    }
    expect(warnings()).toEqual([expect.stringMatching(/forwards requests for "desk\.example\.com": set/)]);
  });

  it('says nothing of proxies where clients are told another host (AUTH-19)', async () => {
    await boot(buildOptions({}));
    const headers = { 'x-forwarded-host': 'evil.example' };
    await perRequest(desk!.url).request('tools/list', {}, { headers });
    expect(warnings()).toEqual([]);
  });

  it('is an error where handlers require scopes of a server that is open (AUTH-19) (MOD-11)', async () => {
    const error = await bootFailure({
      adapter,
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [ScopedHandlers],
    });
    expect(error).toBeInstanceOf(McpConfigurationError);
    expect(error.message).toMatch(/^The MCP option "auth" is missing: .*"desk:read", "desk:greet"/);
  });
});
