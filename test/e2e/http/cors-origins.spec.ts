import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type AppOptions, type RunningApp } from '../../support/boot.js';
import { perRequest } from '../../support/json-rpc.js';
import { sendHttp } from '../../support/raw-http.js';

const APP = 'https://app.example.com';
const PARTNER = 'https://partner.example.com';
const PUBLIC = 'https://desk.example.com';
const LOOPBACK = 'http://localhost:5173';

describe.each(ADAPTERS)('the origins of CORS on %s', (adapter) => {
  let desk: RunningApp;
  let shared: RunningApp;

  beforeAll(async () => {
    desk = await boot();
    shared = await boot((app) => app.enableCors({ origin: PARTNER }));
  });

  afterAll(async () => {
    await desk.close();
    await shared.close();
  });

  function boot(configure?: AppOptions['configure']): Promise<RunningApp> {
    const options: McpOptions = {
      serverInfo: { name: 'desk', version: '1.0.0' },
      publicUrl: `${PUBLIC}/mcp`,
      allowedOrigins: [PARTNER],
      cors: { origins: [APP] },
    };
    return bootApp({ adapter, imports: [McpModule.forRoot(options)], ...(configure && { configure }) });
  }

  async function allowedOrigin({ url }: RunningApp, method: string, origin: string): Promise<unknown> {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const answer =
      method === 'POST'
        ? await perRequest(url).request('tools/list', {}, { headers })
        : await sendHttp(url, { method, headers });
    return answer.headers['access-control-allow-origin'];
  }

  it.each(['POST', 'OPTIONS', 'GET'])(
    'let pages of a listed origin read answers to %s (HTTP-11)',
    async (method) => {
      expect(await allowedOrigin(desk, method, APP)).toBe(APP);
    },
  );

  it.each(['POST', 'OPTIONS', 'GET'])(
    'let pages of no other origin read answers to %s, whose requests may pass (HTTP-11)',
    async (method) => {
      for (const origin of [LOOPBACK, PARTNER, PUBLIC]) {
        expect(await allowedOrigin(desk, method, origin)).toBeUndefined();
      }
    },
  );

  it('leave those requests themselves alone (HTTP-06)', async () => {
    for (const origin of [LOOPBACK, PARTNER, PUBLIC]) {
      const { status } = await perRequest(desk.url).request('tools/list', {}, { headers: { origin } });
      expect(status).toBe(200);
    }
  });

  it("leave other origins to the application's own CORS (HTTP-11)", async () => {
    expect(await allowedOrigin(shared, 'OPTIONS', PARTNER)).toBe(PARTNER);
    expect(await allowedOrigin(shared, 'POST', PARTNER)).toBe(PARTNER);
  });

  it('make caches keep answers apart (HTTP-11)', async () => {
    for (const origin of [APP, LOOPBACK]) {
      const { headers } = await perRequest(desk.url).request('tools/list', {}, { headers: { origin } });
      expect(headers['vary']).toMatch(/\borigin\b/i);
    }
  });
});
