import { afterEach, describe, expect, it } from '@jest/globals';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';

describe('The host of a request behind a proxy that an application on Express trusts', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  const mcp = (options: Partial<McpOptions> = {}) =>
    McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, ...options });

  const trust = (app: unknown) => void (app as NestExpressApplication).set('trust proxy', 'loopback');

  const statusFor = async (host: string, forwarded?: string) => {
    const headers = { host, ...(forwarded !== undefined && { 'x-forwarded-host': forwarded }) };
    return (await perRequest(desk.url).request('tools/list', {}, { headers })).status;
  };

  it('is the one that the proxy saw (HTTP-06, MOD-09)', async () => {
    desk = await bootApp({ imports: [mcp({ allowedHosts: ['desk.example.com'] })], configure: trust });
    expect(await statusFor('inner.example', 'desk.example.com')).toBe(200);
    expect(await statusFor('localhost', 'evil.example')).toBe(403);
    expect(await statusFor('desk.example.com', 'evil.example')).toBe(403);
  });

  it('is that of the request where the proxy names none (HTTP-06, MOD-09)', async () => {
    desk = await bootApp({ imports: [mcp({ allowedHosts: ['desk.example.com'] })], configure: trust });
    expect(await statusFor('desk.example.com')).toBe(200);
    expect(await statusFor('evil.example')).toBe(403);
  });
});
