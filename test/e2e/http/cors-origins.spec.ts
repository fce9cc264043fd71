import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const APP = 'https://app.example.com';
const PARTNER = 'https://partner.example.com';
const PUBLIC = 'https://desk.example.com';
const LOOPBACK = 'http://localhost:5173';

const OPTIONS: McpOptions = {
  serverInfo: { name: 'desk', version: '1.0.0' },
  publicUrl: `${PUBLIC}/mcp`,
  allowedOrigins: [PARTNER],
  cors: { origins: [APP] },
};

describe.each(ADAPTERS)('the origins of CORS on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp({ adapter, imports: [McpModule.forRoot(OPTIONS)] });
  });

  afterAll(() => desk.close());

  async function allowedOrigin(method: string, origin: string): Promise<unknown> {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const answer =
      method === 'POST'
        ? await perRequest(desk.url).request('tools/list', {}, { headers })
        : await sendHttp(desk.url, { method, headers });
    return answer.headers['access-control-allow-origin'];
  }

  it.each(['POST', 'OPTIONS', 'GET'])(
    'let pages of a listed origin read answers to %s (HTTP-11)',
    async (method) => {
      expect(await allowedOrigin(method, APP)).toBe(APP);
    },
  );

  it.each(['POST', 'OPTIONS', 'GET'])(
    'let pages of no other origin read answers to %s, whose requests may pass (HTTP-11)',
    async (method) => {
      for (const origin of [LOOPBACK, PARTNER, PUBLIC]) {
        expect(await allowedOrigin(method, origin)).toBeUndefined();
      }
    },
  );

  it('leave those requests themselves alone (HTTP-06)', async () => {
    for (const origin of [LOOPBACK, PARTNER, PUBLIC]) {
      const { status } = await perRequest(desk.url).request('tools/list', {}, { headers: { origin } });
      expect(status).toBe(200);
    }
  });

  it('make caches keep answers apart (HTTP-11)', async () => {
    for (const origin of [APP, LOOPBACK]) {
      const { headers } = await perRequest(desk.url).request('tools/list', {}, { headers: { origin } });
      expect(headers['vary']).toMatch(/\borigin\b/i);
    }
  });
});
