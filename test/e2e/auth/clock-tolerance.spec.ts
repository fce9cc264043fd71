import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { JwtOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, RESOURCE } from '../../support/applications/protected-desk.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';

/** What the server's clock shows for as long as a test runs: no test depends on how long that is. */
const NOW = Math.floor(Date.now() / 1000);

describe.each(ADAPTERS)('What a token may be late or early by, on %s', (adapter) => {
  let issuer: TestIssuer;
  let standard: RunningApp;
  let strict: RunningApp;

  beforeAll(async () => {
    issuer = await TestIssuer.start();
    standard = await start(adapter, {});
    strict = await start(adapter, { clockToleranceSeconds: 0 });
  });

  afterEach(() => void jest.restoreAllMocks());

  afterAll(async () => {
    for (const server of [standard, strict]) await server.close();
    await issuer.stop();
  });

  function start(name: AdapterName, jwt: JwtOptions): Promise<RunningApp> {
    return bootDesk(name, {
      auth: { resourceUri: RESOURCE, authorizationServers: [issuer.url], jwt },
      providers: [WhoamiTool],
    });
  }

  async function statusOf({ url }: RunningApp, claims: { exp?: number; nbf?: number }): Promise<number> {
    const token = await issuer.token(claims);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
    const { status } = await perRequest(url, { headers: authorize(token) }).request('tools/list');
    clock.mockRestore();
    return status;
  }

  it.each([
    ['ended just now', { exp: NOW }, 200, 401],
    ['ended four seconds ago', { exp: NOW - 4 }, 200, 401],
    ['ended five seconds ago', { exp: NOW - 5 }, 401, 401],
    ['begins just now', { nbf: NOW }, 200, 200],
    ['begins in a second', { nbf: NOW + 1 }, 200, 401],
    ['begins in five seconds', { nbf: NOW + 5 }, 200, 401],
    ['begins in six seconds', { nbf: NOW + 6 }, 401, 401],
  ])(
    'is five seconds unless another tolerance is set: one that %s (AUTH-05)',
    async (_when, claims, byDefault, withoutTolerance) => {
      const times = { exp: NOW + 60, ...claims };
      expect(await statusOf(standard, times)).toBe(byDefault);
      expect(await statusOf(strict, times)).toBe(withoutTolerance);
    },
  );

  it('ends for a token that was taken before, too (AUTH-05, AUTH-11)', async () => {
    const token = await issuer.token({ exp: NOW + 60 });
    const clock = jest.spyOn(Date, 'now');
    const client = perRequest(standard.url, { headers: authorize(token) });
    for (const [at, status] of [
      [NOW, 200],
      [NOW + 64, 200],
      [NOW + 65, 401],
    ] as const) {
      clock.mockReturnValue(at * 1000);
      expect((await client.request('tools/list')).status).toBe(status);
    }
  });
});
