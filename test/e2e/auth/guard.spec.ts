import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpModule } from 'nestjs-mcp';
import { bootApp, ADAPTERS, type RunningApp } from '../../support/boot.js';

const TOKEN = 'a-fixed-token-of-the-desk';

describe.each(ADAPTERS)('A server with a fixed token on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, auth: { bearer: TOKEN } }),
      ],
    });
  });

  afterAll(() => desk.close());

  function post(headers: Record<string, string> = {}): Promise<Response> {
    return fetch(desk.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      }),
    });
  }

  it.each([['POST'], ['GET'], ['DELETE']])('refuses %s without a token (AUTH-01)', async (method) => {
    const response = method === 'POST' ? await post() : await fetch(desk.url, { method });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('refuses a wrong token (AUTH-14)', async () => {
    const response = await post({ Authorization: 'Bearer another-token-of-the-desk' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('serves a caller with the token (AUTH-03)', async () => {
    const response = await post({ Authorization: `bearer ${TOKEN}` });
    expect(response.status).toBe(200);
  });
});
