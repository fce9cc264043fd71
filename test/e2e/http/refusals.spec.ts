import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpModule, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import { openHttp, sendBytes, sendHttp } from '../../support/clients/raw-http.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

const STREAM = { accept: 'text/event-stream' };
const TOKEN = 'a-token-of-the-desk-that-nobody-guesses';

describe.each(ADAPTERS)('what the edge refuses on %s', (adapter) => {
  const log = new RecordedLog();
  let desk: RunningApp;
  let open: RunningApp;
  let locked: RunningApp;

  beforeAll(async () => {
    const boot = (options: Partial<McpOptions> = {}): Promise<RunningApp> =>
      bootApp({
        adapter,
        imports: [
          McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, sse: true, ...options }),
        ],
        nest: { logger: log },
      });
    desk = await boot();
    open = await boot({ allowedOrigins: ['*'] });
    locked = await boot({ auth: { bearer: TOKEN } });
  });

  beforeEach(() => log.clear());

  afterAll(async () => {
    for (const app of [desk, open, locked]) await app.close();
  });

  const warnings = () => log.find('warn', 'A request ');

  /** Opens a stream, lets go of it and gives its status. */
  async function openStream(url: string, headers: Record<string, string>): Promise<number | undefined> {
    const response = await openHttp(url, { headers: { ...STREAM, ...headers } });
    response.destroy();
    return response.statusCode;
  }

  describe('by where a page stands', () => {
    it('is a stream that a page of another site embeds (HTTP-06, SSE-01)', async () => {
      const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      expect(await openStream(`${desk.origin}/sse`, embedded)).toBe(403);
      const session = await initialize(desk.url);
      expect(await openStream(desk.url, { ...session.headers, ...embedded } as never)).toBe(403);
      expect(
        (await sendHttp(desk.url, { method: 'DELETE', headers: { ...session.headers, ...embedded } })).status,
      ).toBe(403);
      expect((await perRequest(desk.url).request('tools/list', {}, { headers: embedded })).status).toBe(403);
      expect((await session.request('ping')).status).toBe(200);
    });

    it.each([
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
    ])('is no stream with %j (HTTP-06)', async (headers) => {
      expect(await openStream(`${desk.origin}/sse`, headers as Record<string, string>)).toBe(200);
    });

    it('is no stream of a page whose origin is allowed (HTTP-06)', async () => {
      const crossSite = { 'sec-fetch-site': 'cross-site' };
      const named = { ...crossSite, origin: 'http://localhost:5173' };
      expect(await openStream(`${desk.origin}/sse`, named)).toBe(200);
      expect(await openStream(`${open.origin}/sse`, crossSite)).toBe(200);
    });
  });

  describe('by its Host', () => {
    const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

    const post = (target: string, hosts: readonly string[]): Promise<string> =>
      sendBytes(
        desk.port,
        [
          `POST ${target} HTTP/1.1`,
          ...hosts,
          'Connection: close',
          'Content-Type: application/json',
          'Accept: application/json, text/event-stream',
          `Content-Length: ${BODY.length}`,
          '',
          BODY,
        ].join('\r\n'),
      );

    it.each([
      [['Host: localhost', 'Host: evil.example']],
      [['Host: evil.example', 'Host: localhost']],
      [['Host: localhost', 'Host: localhost']],
      [['HOST: localhost', 'X-Between: x', 'hOsT: evil.example']],
    ])('is one of several, whichever comes first: %j (HTTP-06)', async (hosts) => {
      for (const target of ['/mcp', '/sse', '/MCP/']) {
        expect(await post(target, hosts)).toMatch(
          /^HTTP\/1\.1 400 [^]*"Host\\" must be present exactly once/,
        );
      }
    });

    it('is none beside others of the same length (HTTP-06)', async () => {
      expect(await post('/mcp', ['Host: localhost', 'Date: x', 'From: y'])).toMatch(
        /^HTTP\/1\.1 400 .*[^]*initialize/,
      );
    });
  });

  describe('leaves a line in the log', () => {
    const ask = async (headers: Record<string, string>) =>
      (await perRequest(desk.url).request('tools/list', {}, { headers })).status;

    it('once for an Origin, with what to do about it (HTTP-06)', async () => {
      const headers = { origin: 'https://once.example' };
      expect([await ask(headers), await ask(headers)]).toEqual([403, 403]);
      expect(warnings()).toEqual([
        'A request with "https://once.example" as "Origin" was rejected: "Origin" is not allowed: list it in the option "allowedOrigins" [caller=- session=- address=127.0.0.1 method=- target=-] McpHttpTransport',
      ]);
    });

    it('once for a Host, with what to do about it (HTTP-06)', async () => {
      const headers = { host: 'once.example:80' };
      expect([await ask(headers), await ask(headers)]).toEqual([403, 403]);
      expect(warnings()).toEqual([
        'A request with "once.example:80" as "Host" was rejected: "Host" is not allowed: set "publicUrl" to the URL that clients use, or list it in the option "allowedHosts" [caller=- session=- address=127.0.0.1 method=- target=-] McpHttpTransport',
      ]);
    });

    it('that is short, whatever was sent, and no more than a few (SAFE-02)', async () => {
      for (let index = 0; index < 40; index += 1) {
        await ask({ origin: `https://${index}.example/${'x'.repeat(2000)}` });
      }
      expect(warnings().length).toBeLessThanOrEqual(20);
      expect(Math.max(...warnings().map(({ length }) => length))).toBeLessThan(400);
      // Who makes origins up does not hide another fault.
      await ask({ host: 'still.example' });
      expect(warnings().at(-1)).toContain('"still.example" as "Host"');
    });
  });

  describe('leaves a line in the log for an Authorization that is malformed', () => {
    const knock = async (authorization: string) =>
      (await perRequest(locked.url, { headers: { authorization } }).request('tools/list')).status;

    it.each([
      ['contains the scheme "Bearer" twice', `Bearer Bearer ${TOKEN}`],
      ['has no scheme', TOKEN],
      ['has no token after "Bearer"', 'Bearer'],
      ['has an unsupported scheme', 'Basic YTpi'],
      ['is not "Bearer" followed by a space and a token', `Bearer: ${TOKEN}`],
    ])('that %s, and no token (AUTH-02, AUTH-15)', async (mistake, authorization) => {
      expect([await knock(authorization), await knock(authorization)]).toEqual([401, 401]);
      expect(warnings()).toEqual([
        `A request was rejected because its "Authorization" header ${mistake}: send the token once, as "Authorization: Bearer <token>" [caller=- session=- address=127.0.0.1 method=- target=-] McpAuth`,
      ]);
      expect(log.text).not.toContain(TOKEN);
    });

    it('that came twice (AUTH-02)', async () => {
      const lines = [
        'Host: localhost',
        'Connection: close',
        `Authorization: Bearer ${TOKEN}`,
        'Authorization: Basic x',
      ];
      await sendBytes(locked.port, ['GET /mcp HTTP/1.1', ...lines, '', ''].join('\r\n'));
      expect(warnings()).toEqual([expect.stringContaining('header was sent more than once')]);
    });

    it('and none for a token that is no good (AUTH-02)', async () => {
      expect(await knock('Bearer nonsense')).toBe(401);
      expect(await knock(`Bearer ${TOKEN}`)).toBe(200);
      expect(warnings()).toEqual([]);
    });
  });
});
