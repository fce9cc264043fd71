import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable, type INestApplication } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, post } from '../../support/clients/json-rpc.js';

interface Request {
  readonly headers: Readonly<Record<string, unknown>>;
}

interface Response {
  statusCode: number;
  end(text: string): void;
}

/** What runs middleware on Fastify leaves that on each request. */
interface SeenByMiddleware {
  readonly raw: { readonly originalUrl?: string };
}

@Injectable()
class EchoTool {
  @Tool({ description: 'Tells whether middleware ran' })
  echo(_args: object, { http }: McpContext): string {
    const request = http?.request as SeenByMiddleware | undefined;
    return request?.raw.originalUrl ?? 'none';
  }
}

describe('middleware on Fastify', () => {
  /** What the application's parser found of each request. */
  const seen: unknown[] = [];
  let desk: RunningApp | undefined;

  async function boot(configure?: (app: INestApplication) => void): Promise<RunningApp> {
    desk = await bootServer({
      adapter: 'fastify',
      providers: [EchoTool],
      ...(configure && { configure }),
    });
    return desk;
  }

  function parse({ headers }: Request, _response: Response, next: () => void): void {
    seen.push(headers['content-type']);
    next();
  }

  async function echo(url: string): Promise<unknown> {
    const session = await initialize(url);
    return (await session.request('tools/call', { name: 'echo' })).result?.['content'];
  }

  afterEach(async () => {
    seen.length = 0;
    await desk?.close();
  });

  it('is not run for the endpoint as long as the application has none', async () => {
    const { url } = await boot();
    expect(await echo(url)).toEqual([{ type: 'text', text: 'none' }]);
  });

  it.each([
    ['before the application listens', true],
    ['once it has answered', false],
  ])('finds no body of the endpoint if it comes %s (MOD-09)', async (_when, isEarly) => {
    const { app, url } = await boot((starting) => {
      if (isEarly) starting.use(parse);
    });
    if (!isEarly) {
      await echo(url);
      app.use(parse);
    }
    expect(await echo(url)).toEqual([{ type: 'text', text: '/mcp' }]);
    expect(new Set(seen)).toEqual(new Set([undefined]));
  });

  it('is not asked about what the endpoint refuses (MOD-09)', async () => {
    const { url } = await boot((app) => void app.use(parse));
    const refused = await post(
      url,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { origin: 'https://evil.example' },
    );
    expect([refused.status, seen]).toEqual([403, []]);
    await echo(url);
    expect(seen).toHaveLength(3);
  });
});
