import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

describe.each(ADAPTERS)('the check of Origin on %s', (adapter) => {
  let plain: RunningApp;
  let tuned: RunningApp;
  let shared: RunningApp;
  let open: RunningApp;

  beforeAll(async () => {
    plain = await bootServer({ adapter });
    tuned = await bootServer({
      adapter,
      options: {
        publicUrl: 'https://desk.example.com/tools/mcp',
        allowedOrigins: ['https://app.example.com', 'http://intranet.example:8080'],
      },
    });
    shared = await bootServer({ adapter, options: { cors: { origins: ['https://web.example.com'] } } });
    open = await bootServer({ adapter, options: { cors: true } });
  });

  afterAll(async () => {
    for (const app of [plain, tuned, shared, open]) await app.close();
  });

  async function status({ url }: RunningApp, origin: string): Promise<number> {
    return (await perRequest(url).request('tools/list', {}, { headers: { origin } })).status;
  }

  it('lets a request without Origin pass (HTTP-06)', async () => {
    expect((await perRequest(plain.url).request('tools/list')).status).toBe(200);
  });

  it.each([
    'http://localhost',
    'http://localhost:5173',
    'https://localhost:8443',
    'http://127.0.0.1:6274',
    'http://[::1]:3000',
    'https://[::1]',
    'http://LOCALHOST:3000',
  ])('lets %s pass, which is loopback (HTTP-06)', async (origin) => {
    expect(await status(plain, origin)).toBe(200);
  });

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example:3000',
    'http://localhost@evil.example',
    'https://desk.example.com',
    'null',
    'file://',
    'nonsense',
    'localhost',
    'http://',
    '*',
  ])('refuses %s with 403 (HTTP-06)', async (origin) => {
    expect(await status(plain, origin)).toBe(403);
  });

  it.each([
    'https://desk.example.com',
    'https://app.example.com',
    'http://intranet.example:8080',
    'http://localhost:1',
  ])('lets %s pass, which is that of "publicUrl", listed, or loopback (HTTP-06)', async (origin) => {
    expect(await status(tuned, origin)).toBe(200);
  });

  it.each([
    'http://desk.example.com',
    'https://desk.example.com:8443',
    'https://app.example.com:444',
    'https://sub.app.example.com',
    'http://intranet.example',
    'https://app.example.com.evil.example',
    'null',
  ])('refuses %s, which differs from all of these (HTTP-06)', async (origin) => {
    expect(await status(tuned, origin)).toBe(403);
  });

  it('counts the origins of CORS as allowed (HTTP-06)', async () => {
    expect(await status(shared, 'https://web.example.com')).toBe(200);
    expect(await status(shared, 'https://other.example.com')).toBe(403);
    expect(await status(open, 'https://anything.example')).toBe(200);
  });

  it('is made on every method, and before anything else (HTTP-06)', async () => {
    const session = await initialize(plain.url);
    const headers = { ...session.headers, origin: 'https://evil.example', accept: 'text/event-stream' };
    const answers = [
      await sendHttp(plain.url, { headers }),
      await sendHttp(plain.url, { method: 'DELETE', headers }),
      await sendHttp(plain.url, { method: 'POST', body: '{', headers }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403]);
    expect((await session.request('ping')).result).toEqual({});
  });

  it('answers without an id (HTTP-06)', async () => {
    const answer = await perRequest(plain.url).request('tools/list', {}, { headers: { origin: 'null' } });
    expect(answer.response).not.toHaveProperty('id');
    expect(answer.response).toHaveProperty('error');
  });
});
