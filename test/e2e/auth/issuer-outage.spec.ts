import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { McpAuthenticator, type JwtOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import type { Answer } from '../../support/clients/call.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS, RESOURCE } from '../../support/applications/protected-desk.js';
import { until } from '../../support/until.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';

describe.each(ADAPTERS)('A server whose issuer is not always there, on %s', (adapter) => {
  let issuer: TestIssuer;
  let desk: RunningApp;

  beforeEach(async () => {
    issuer = await TestIssuer.start();
  });

  afterEach(async () => {
    await desk.close();
    await issuer.stop();
  });

  async function boot(jwt: JwtOptions = {}): Promise<void> {
    desk = await bootDesk(adapter, {
      auth: {
        resourceUri: RESOURCE,
        authorizationServers: [issuer.url],
        jwt,
        bearer: CALLERS.ada,
      },
      providers: [WhoamiTool],
    });
  }

  const call = (token: string): Promise<Answer> =>
    perRequest(desk.url, { headers: authorize(token) }).request('tools/call', { name: 'whoami' });

  it('answers 503 while it has no keys, and serves as soon as it gets some (AUTH-12)', async () => {
    await boot({ jwks: { cooldownMs: 20 } });
    const token = await issuer.token();
    issuer.breakDown();
    const { status, headers } = await call(token);
    expect([status, headers['retry-after'], headers['www-authenticate']]).toEqual([503, '1', undefined]);
    expect((await call(CALLERS.ada.token)).status).toBe(200);
    issuer.recover();
    await until(async () => (await call(token)).status === 200, 'keys');
  });

  it('serves within seconds after keys were to be had again, by its defaults (FAIR-07)', async () => {
    issuer.breakDown();
    await boot();
    const token = await issuer.token();
    expect(await call(token)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    issuer.recover();
    await until(async () => (await call(token)).status === 200, 'keys', 10_000);
  });

  it('answers 429 for a key that may be too new, and takes it when it has said (FAIR-07) (FAIR-09)', async () => {
    await boot({ jwks: { cooldownMs: 5000 } });
    expect((await call(await issuer.token())).status).toBe(200);
    await issuer.rotate();
    const token = await issuer.token();
    const { status, headers, error } = await call(token);
    expect([status, headers['www-authenticate']]).toEqual([429, undefined]);
    expect(error).toEqual({
      code: -32023,
      message: 'The token cannot be checked yet: try again later',
      data: { retryAfterMs: Number(headers['retry-after']) * 1000 },
    });
    const waitsUntil = performance.now() + Number(headers['retry-after']) * 1000;
    expect(headers['retry-after']).toMatch(/^[1-5]$/);
    await until(() => performance.now() >= waitsUntil, 'the time that it has said', 10_000);
    expect([(await call(token)).status, issuer.fetches]).toEqual([200, 2]);
  });

  it('answers 401 for a key that the issuer was asked for and has not (FAIR-07)', async () => {
    await boot({ jwks: { cooldownMs: 3000 } });
    expect((await call(await issuer.token())).status).toBe(200);
    const token = await issuer.token({}, { header: { kid: randomUUID() } });
    const refused = await until(
      async () => {
        const answer = await call(token);
        return answer.status !== 429 && answer;
      },
      'an answer for good',
      10_000,
    );
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('error="invalid_token"'),
    ]);
    expect([(await call(token)).status, issuer.fetches]).toEqual([401, 2]);
  });

  it('has its keys before the first token comes, where it is told to (AUTH-04)', async () => {
    await boot({ jwks: { prefetch: true } });
    await until(() => issuer.fetches === 1, 'the keys');
    expect((await call(await issuer.token())).status).toBe(200);
    expect(issuer.fetches).toBe(1);
  });

  it('starts without an issuer that it would have its keys from, and has them as soon as it is there (AUTH-12)', async () => {
    issuer.breakDown();
    await boot({ jwks: { prefetch: true } });
    await until(() => issuer.requests.length > 0, 'an attempt');
    const token = await issuer.token();
    issuer.recover();
    expect((await call(token)).status).toBe(200);
  });

  it('goes on with tokens that it knows, and with keys that it knows (AUTH-11, AUTH-12)', async () => {
    await boot({ jwks: { cooldownMs: 20, maxAgeMs: 20 } });
    const known = await issuer.token();
    expect((await call(known)).status).toBe(200);
    issuer.breakDown();
    for (let time = 0; time < 5; time += 1) {
      expect((await call(known)).status).toBe(200);
      expect((await call(await issuer.token({ jti: randomUUID() }))).status).toBe(200);
    }
  });

  it('takes a new key without a restart, and gives the one before up (AUTH-12)', async () => {
    await boot({ jwks: { cooldownMs: 20 } });
    const before = await issuer.token();
    expect((await call(before)).status).toBe(200);
    const [lost] = issuer.keys;
    await issuer.rotate();
    const after = await issuer.token();
    await until(async () => (await call(after)).status === 200, 'the new key');
    expect((await call(await issuer.token({ jti: 'late' }, { key: lost! }))).status).toBe(401);
    // A token that was validated counts until its time in the cache is over, or the application says otherwise.
    expect((await call(before)).status).toBe(200);
    desk.app.get(McpAuthenticator).clearCache();
    await until(async () => (await call(before)).status === 401, 'the end of a token');
  });

  it('asks for keys once, however many unknown ones tokens name, which is no failure of the server (AUTH-12) (FAIR-09)', async () => {
    await boot();
    const known = await issuer.token();
    expect((await call(known)).status).toBe(200);
    const storm = await Promise.all(
      Array.from({ length: 200 }, () => issuer.token({}, { header: { kid: randomUUID() } })),
    );
    const answers = await Promise.all([...storm.map(call), call(known)]);
    const statuses = new Set(answers.slice(0, -1).map(({ status }) => status));
    // The keys were fetched a moment ago: of a key that may be newer nobody can tell.
    expect([...statuses]).toEqual([429]);
    expect(answers.at(-1)?.status).toBe(200);
    expect(issuer.fetches).toBeLessThanOrEqual(2);
  });
});
