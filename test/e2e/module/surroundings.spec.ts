import { afterEach, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Get,
  Injectable,
  Post,
  VersioningType,
  type INestApplication,
} from '@nestjs/common';
import { Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type AppOptions, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

@Injectable()
class RequestTool {
  @Tool({ description: 'Says what it knows of its request' })
  whoAsks(_: object, { http }: McpContext): string {
    return JSON.stringify([http?.headers['x-caller'], typeof http?.request]);
  }
}

@Controller('tickets')
class TicketController {
  @Get()
  list(): object {
    return { tickets: [] };
  }

  @Post()
  open(@Body() body: unknown): object {
    return { opened: body };
  }
}

@Controller('health')
class HealthController {
  @Get()
  check(): object {
    return { ok: true };
  }
}

describe.each(ADAPTERS)('the endpoint in its surroundings on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(
    configure: (app: INestApplication) => void,
    options: Partial<McpOptions> = {},
    nest: AppOptions['nest'] = {},
  ): Promise<void> {
    desk = await bootServer({
      adapter,
      options,
      controllers: [TicketController, HealthController],
      providers: [RequestTool],
      configure,
      nest: { logger: false, abortOnError: false, ...nest },
    });
  }

  /** Tells whether all of the protocol works at a path. */
  async function isServedAt(path: string): Promise<boolean> {
    const url = `${desk.origin}${path}`;
    const stateless = await perRequest(url).request('tools/list');
    if (stateless.status === 404 && stateless.error?.code === undefined) return false;
    expect(stateless.result).toHaveProperty('tools');
    const session = await initialize(url);
    const stream = await session.openStream();
    expect((await session.request('tools/call', { name: 'whoAsks' })).result).toHaveProperty('content');
    expect((await session.delete()).status).toBeLessThan(300);
    await stream.ended;
    expect((await sendHttp(url, { method: 'PUT' })).status).toBe(405);
    return true;
  }

  const status = async (path: string) => (await sendHttp(`${desk.origin}${path}`)).status;

  it('stays where it is under a global prefix, which moves the application (MOD-09)', async () => {
    await boot((app) => void app.setGlobalPrefix('api'));
    expect([await isServedAt('/mcp'), await isServedAt('/api/mcp')]).toEqual([true, false]);
    expect([await status('/api/tickets'), await status('/tickets')]).toEqual([200, 404]);
  });

  it('moves with the global prefix where that is wanted (MOD-09)', async () => {
    await boot((app) => void app.setGlobalPrefix('/api/v2/'), { useGlobalPrefix: true });
    expect([await isServedAt('/api/v2/mcp'), await isServedAt('/mcp')]).toEqual([true, false]);
  });

  it('leaves what the application keeps off its prefix as it is (MOD-09)', async () => {
    await boot((app) => void app.setGlobalPrefix('api', { exclude: ['health'] }));
    expect(await isServedAt('/mcp')).toBe(true);
    expect([await status('/health'), await status('/api/health'), await status('/api/tickets')]).toEqual([
      200, 404, 200,
    ]);
  });

  it('stays where it is under versioning by URI (MOD-09)', async () => {
    await boot((app) => void app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' }));
    expect([await isServedAt('/mcp'), await isServedAt('/v1/mcp')]).toEqual([true, false]);
    expect(await status('/v1/tickets')).toBe(200);
  });

  it.each([
    ['by header', { type: VersioningType.HEADER as const, header: 'x-version', defaultVersion: '2' }],
    ['by media type', { type: VersioningType.MEDIA_TYPE as const, key: 'v=', defaultVersion: '2' }],
  ])('stays where it is under versioning %s (MOD-09)', async (_, versioning) => {
    await boot((app) => void app.enableVersioning(versioning));
    expect(await isServedAt('/mcp')).toBe(true);
  });

  it('stays where it is under both (MOD-09)', async () => {
    await boot((app) => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    });
    expect([await isServedAt('/mcp'), await isServedAt('/api/v1/mcp')]).toEqual([true, false]);
  });

  it('can be at any path (MOD-09)', async () => {
    await boot((app) => void app.setGlobalPrefix('api'), { mcpPath: '/tools/desk.v2/mcp' });
    expect([await isServedAt('/tools/desk.v2/mcp'), await isServedAt('/mcp')]).toEqual([true, false]);
  });

  it('heeds no forwarded header of a proxy that nobody trusts (MOD-09)', async () => {
    await boot(() => undefined);
    const headers = {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-forwarded-prefix': '/elsewhere',
      forwarded: 'for=203.0.113.7;host=evil.example;proto=https',
    };
    const session = await initialize(desk.url, { headers });
    expect((await session.request('ping')).result).toEqual({});
    expect(JSON.stringify(session.handshake.headers)).not.toContain('evil.example');
    expect(JSON.stringify(session.result)).not.toContain('evil.example');
  });

  it('answers behind a proxy that passes on the public host (MOD-09)', async () => {
    await boot(() => undefined, { publicUrl: 'https://desk.example.com/mcp' });
    const headers = {
      host: 'desk.example.com',
      origin: 'https://desk.example.com',
      'x-forwarded-proto': 'https',
    };
    expect((await perRequest(desk.url).request('tools/list', {}, { headers })).status).toBe(200);
  });

  it('does without the body parser of the application (MOD-09)', async () => {
    await boot(() => undefined, {}, { bodyParser: false });
    expect(await isServedAt('/mcp')).toBe(true);
  });

  it('gets on with a raw body that the application keeps (MOD-09)', async () => {
    await boot(() => undefined, {}, { rawBody: true });
    expect(await isServedAt('/mcp')).toBe(true);
    const posted = await sendHttp(`${desk.origin}/tickets`, { json: { title: 'printer' } });
    expect([posted.status, posted.json]).toEqual([201, { opened: { title: 'printer' } }]);
  });

  it('takes a body that a middleware has read before (MOD-09)', async () => {
    await boot((app) => void app.use(readBodyEarly));
    const session = await initialize(desk.url);
    expect((await session.request('ping')).result).toEqual({});
    expect((await perRequest(desk.url).request('tools/list')).status).toBe(200);
  });

  it('shows handlers the request of the adapter (MOD-09)', async () => {
    await boot(() => undefined);
    const { result } = await perRequest(desk.url).request(
      'tools/call',
      { name: 'whoAsks' },
      { headers: { 'x-caller': 'e2e' } },
    );
    expect(result?.['content']).toEqual([{ type: 'text', text: '["e2e","object"]' }]);
  });
});

interface ReadableRequest extends AsyncIterable<Buffer> {
  body?: unknown;
}

/** Reads and parses every body before anybody else can. */
function readBodyEarly(request: ReadableRequest, _: unknown, proceed: () => void): void {
  const read = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    request.body = text === '' ? undefined : JSON.parse(text);
  };
  void read().then(proceed);
}
