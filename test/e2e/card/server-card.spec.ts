import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, VersioningType, type INestApplication } from '@nestjs/common';
import {
  describeServers,
  McpModule,
  RequireScope,
  Tool,
  type McpModuleExtras,
  type McpOptions,
  type ServerCard,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { CALLERS, PUBLISHED } from '../../support/applications/protected-desk.js';
import { expectValid } from '../../support/card-schemas.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp, type RawRequest } from '../../support/clients/raw-http.js';

const PUBLIC_URL = 'https://desk.example.com/mcp';
const CATALOG = '/.well-known/ai-catalog.json';
const TYPE = 'application/mcp-server-card+json';
const serverInfo = { name: 'desk', version: '1.0.0', title: 'The desk', description: 'Keeps tickets' };

@Injectable()
class SecretTools {
  @Tool({ description: 'Burns evidence' })
  @RequireScope('desk:burn')
  burnEvidence(): string {
    return 'burnt';
  }

  @Tool({ description: 'Hides', visible: () => false })
  hideEvidence(): string {
    return 'hidden';
  }
}

describe.each(ADAPTERS)('A server card (SEP-2127) on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const boot = async (
    options: Partial<McpOptions & McpModuleExtras>[],
    configure?: (app: INestApplication) => void,
  ): Promise<void> => {
    desk = await bootApp({
      adapter,
      imports: options.map((one) => McpModule.forRoot({ serverInfo, publicUrl: PUBLIC_URL, ...one })),
      ...(configure && { configure }),
    });
  };
  const ask = (path: string, request?: RawRequest) => sendHttp(desk.origin + path, request);
  const readCard = async (path = '/mcp/server-card') => (await ask(path)).json as ServerCard;

  it('is what the documentation shows (XTN-05)', async () => {
    const page = await readFile(new URL('../../../docs/server-card.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n([^`]*"supportedProtocolVersions"[^`]*)```/.exec(page) ?? [];
    await boot([{ serverInfo: { ...serverInfo, description: 'Keeps the tickets of the desk' } }]);
    expect(await readCard()).toEqual(JSON.parse(shown));
  });

  it('says what the server is and where, by its own type, to pages of every origin (XTN-05)', async () => {
    await boot([{ sse: true, cors: { origins: ['https://app.example.com'] } }]);
    const answer = await ask('/mcp/server-card', {
      headers: { origin: 'https://elsewhere.example', accept: TYPE },
    });
    const { result } = await perRequest(desk.url).request('server/discover');
    const card = answer.json as ServerCard;
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': TYPE,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ETag',
      'cache-control': 'public, max-age=3600',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    });
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    expectValid('card', card);
    expect(card).toEqual({
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'com.example.desk/desk',
      version: '1.0.0',
      description: 'Keeps tickets',
      title: 'The desk',
      remotes: [
        {
          type: 'streamable-http',
          url: PUBLIC_URL,
          supportedProtocolVersions: expect.arrayContaining(result?.['supportedVersions'] as string[]),
        },
        {
          type: 'sse',
          url: 'https://desk.example.com/sse',
          supportedProtocolVersions: expect.not.arrayContaining(['2026-07-28']),
        },
      ],
    });
  });

  it('is not sent again to whoever has it, and can be asked for by HEAD and in preflights (XTN-05)', async () => {
    await boot([{}]);
    for (const path of ['/mcp/server-card', CATALOG]) {
      const { headers, text } = await ask(path);
      const etag = String(headers['etag']);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await ask(path, { headers: { 'if-none-match': known } });
        expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
      }
      expect((await ask(path, { headers: { 'if-none-match': '"other"' } })).text).toBe(text);
      const head = await ask(path, { method: 'HEAD' });
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', etag]);
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(text)));
      const preflight = await ask(path, {
        method: 'OPTIONS',
        headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': expect.stringContaining('If-None-Match'),
      });
      expect((await ask(path, { method: 'POST', json: {} })).status).toBe(404);
    }
  });

  it('is named by the catalog of the application (XTN-05)', async () => {
    await boot([{}]);
    const { json, headers } = await ask(CATALOG);
    expect(headers['content-type']).toBe('application/ai-catalog+json');
    expect(json).toEqual({
      specVersion: '1.0',
      entries: [
        {
          identifier: 'urn:air:desk.example.com:mcp:desk',
          type: TYPE,
          url: 'https://desk.example.com/mcp/server-card',
        },
      ],
    });
  });

  it('is one of each server; one catalog names them all, the default server first (XTN-05)', async () => {
    await boot([
      { server: 'staff', mcpPath: '/staff', publicUrl: 'https://desk.example.com/staff' },
      { server: 'public', isDefault: true },
      { server: 'quiet', mcpPath: '/quiet', serverCard: { catalog: false } },
      { server: 'off', mcpPath: '/off', serverCard: false },
    ]);
    const { json } = await ask(CATALOG);
    expect((json as { entries: { identifier: string; url: string }[] }).entries).toMatchObject([
      { identifier: 'urn:air:desk.example.com:mcp:desk', url: 'https://desk.example.com/mcp/server-card' },
      {
        identifier: 'urn:air:desk.example.com:mcp:desk-staff',
        url: 'https://desk.example.com/staff/server-card',
      },
    ]);
    const remoteOf = async (path: string) => (await readCard(path)).remotes?.[0]?.url;
    expect(await remoteOf('/mcp/server-card')).toBe(PUBLIC_URL);
    expect(await remoteOf('/staff/server-card')).toBe('https://desk.example.com/staff');
    expect((await ask('/quiet/server-card')).status).toBe(200);
    expect((await ask('/off/server-card')).status).toBe(404);
    expect(describeServers(desk.app).map(({ server, isServed }) => [server, isServed])).toEqual([
      ['staff', true],
      ['public', true],
      ['quiet', true],
      ['off', false],
    ]);
  });

  it('stays where it is behind prefixes, versions, slashes and proxies (XTN-05) (MOD-09)', async () => {
    await boot([{ useGlobalPrefix: true, publicUrl: 'https://example.com/proxied/api/mcp' }], (app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });
    const headers = {
      host: 'attacker.example',
      'x-forwarded-host': 'attacker.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=attacker.example',
    };
    const card = await ask('/api/mcp/server-card', { headers });
    const catalog = await ask(CATALOG, { headers });
    expect([card.status, catalog.status]).toEqual([200, 200]);
    expect(card.text + catalog.text).not.toContain('attacker');
    expect((card.json as ServerCard).remotes?.[0]?.url).toBe('https://example.com/proxied/api/mcp');
    expect(catalog.text).toContain('https://example.com/proxied/api/mcp/server-card');
    expect((await ask('/api/mcp/server-card/')).status).toBe(200);
    expect((await ask('/mcp/server-card')).status).toBe(404);
    expect((await ask(`/api${CATALOG}`)).status).toBe(404);
  });

  it('tells nothing of the catalog of a protected server, and needs no token (XTN-05)', async () => {
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({
          serverInfo,
          instructions: 'Burn nothing',
          auth: { ...PUBLISHED, bearer: CALLERS.ada },
        }),
      ],
      providers: [SecretTools],
    });
    const { status, text } = await ask('/mcp/server-card');
    expect(status).toBe(200);
    expectValid('card', JSON.parse(text));
    for (const secret of ['vidence', 'desk:burn', 'Burn', CALLERS.ada.token])
      expect(text).not.toContain(secret);
    expect(text).not.toContain('Authorization');
    expect((JSON.parse(text) as ServerCard).remotes?.[0]?.url).toBe(PUBLISHED.resourceUri);
  });

  it('says that a token has to be brought where no metadata says where to get one (XTN-05)', async () => {
    await boot([{ auth: { bearer: CALLERS.ada } }]);
    const card = await readCard();
    expectValid('card', card);
    expect(card.remotes?.[0]?.headers).toMatchObject([
      { name: 'Authorization', isRequired: true, isSecret: true, value: 'Bearer {token}' },
    ]);
  });

  it('says what the application says (XTN-05)', async () => {
    const repository = { url: 'https://github.com/example/desk', source: 'github', subfolder: 'server' };
    const headers = [{ name: 'X-Tenant', description: 'Whose tickets', isRequired: true }];
    await boot([
      {
        serverCard: {
          name: 'com.example/tickets',
          title: 'Tickets',
          description: 'Keeps the tickets of everybody',
          websiteUrl: 'https://example.com/tickets',
          repository,
          headers,
          _meta: { 'com.example/tier': 'gold' },
          environmentVariables: [{ name: 'DESK_KEY', isSecret: true }],
        },
      },
    ]);
    const card = await readCard();
    expectValid('card', card);
    expect(card).toMatchObject({
      name: 'com.example/tickets',
      title: 'Tickets',
      description: 'Keeps the tickets of everybody',
      websiteUrl: 'https://example.com/tickets',
      repository,
      remotes: [{ headers }],
      _meta: { 'com.example/tier': 'gold' },
    });
    expect(JSON.stringify(card)).not.toContain('DESK_KEY');
    expect((await ask(CATALOG)).text).toContain('urn:air:example.com:mcp:tickets');
  });

  it('is short, and stands in the catalog itself, where nobody knows the URL (XTN-05)', async () => {
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'My "desk" (new)', version: '1.0.0', description: 'long '.repeat(40) },
        }),
      ],
    });
    const card = await readCard();
    expectValid('card', card);
    expect(card).not.toHaveProperty('remotes');
    expect(card.name).toBe('localhost/My-desk-new');
    expect(card.description).toMatch(/^long (?:long )+long…$/);
    expect((await ask(CATALOG)).json).toEqual({
      specVersion: '1.0',
      entries: [{ identifier: 'urn:air:localhost:mcp:My-desk-new', type: TYPE, data: card }],
    });
  });

  it('is not there where the application says so, nor is the catalog (XTN-05)', async () => {
    await boot([{ serverCard: false }]);
    expect((await ask('/mcp/server-card')).status).toBe(404);
    expect((await ask(CATALOG)).status).toBe(404);
    expect((await ask('/mcp/server-card', { method: 'OPTIONS' })).status).toBe(404);
    expect((await perRequest(desk.url).request('server/discover')).status).toBe(200);
  });
});
