import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { sendBytes, sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { BUILD_MS, buildPage, NAVIGATION } from '../../support/explorer/build-page.js';

beforeAll(buildPage, BUILD_MS);

const isPage = ({ status, headers, text }: RawResponse): boolean =>
  status === 200 && headers['content-type'] === 'text/html; charset=utf-8' && text.includes('MCP explorer');

/** What a client can tell of an answer. */
const seen = ({ status, headers, text }: RawResponse) => ({
  status,
  headers: { ...headers, date: 'now' },
  text,
});

describe.each(ADAPTERS)('The explorer on %s', (adapter) => {
  let desk: RunningApp;
  let without: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter });
    without = await bootServer({ adapter, options: { explorer: false } });
  });
  afterAll(() => Promise.all([desk.close(), without.close()]));

  const open = (headers: OutgoingHttpHeaders = {}, url = desk.url) =>
    sendHttp(url, { headers: { ...NAVIGATION, ...headers } });

  it('answers a browser that opens the endpoint with a page (WAY-02)', async () => {
    expect(isPage(await open())).toBe(true);
  });

  it('tells an older browser by what it accepts (WAY-02)', async () => {
    expect(isPage(await sendHttp(desk.url, { headers: { accept: NAVIGATION.accept } }))).toBe(true);
  });

  it('takes the trailing slash, a query and upper case as the endpoint does (WAY-02)', async () => {
    for (const target of ['/mcp/', '/mcp?code=1&state=2', '/MCP']) {
      expect(isPage(await open({}, desk.origin + target))).toBe(true);
    }
  });

  it('is there after a login at another site, and behind a link on one (WAY-02)', async () => {
    expect(isPage(await open({ 'sec-fetch-site': 'cross-site' }))).toBe(true);
  });

  it('is there where there are no sessions, and where every call needs a token (WAY-02)', async () => {
    const auth = { resourceUri: 'http://127.0.0.1/mcp', bearer: 'a-fixed-token-of-the-desk' };
    for (const options of [{ stateless: true }, { auth }]) {
      const other = await bootServer({ adapter, options });
      const answer = await open({}, other.url);
      await other.close();
      expect(isPage(answer)).toBe(true);
    }
  });

  it.each<[string, string, OutgoingHttpHeaders]>([
    ['a stream', 'GET', { accept: 'text/event-stream' }],
    ['a stream, and HTML too', 'GET', { accept: 'text/html, text/event-stream' }],
    ['anything', 'GET', { accept: '*/*' }],
    ['any text', 'GET', { accept: 'text/*' }],
    ['no HTML', 'GET', { accept: 'text/html;q=0, */*' }],
    ['nothing in particular', 'GET', {}],
    ['JSON', 'GET', { accept: 'application/json' }],
    ['the head', 'HEAD', NAVIGATION],
    ['a frame', 'GET', { ...NAVIGATION, 'sec-fetch-dest': 'iframe' }],
    ['an embedded object', 'GET', { ...NAVIGATION, 'sec-fetch-dest': 'object' }],
    ['what a script fetches', 'GET', { ...NAVIGATION, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    [
      'a frame of another site',
      'GET',
      { ...NAVIGATION, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' },
    ],
    ['the stream of a session', 'GET', { ...NAVIGATION, 'mcp-session-id': 'unknown' }],
    ['a revision', 'GET', { ...NAVIGATION, 'mcp-protocol-version': '2025-11-25' }],
    ['a page of another origin', 'GET', { ...NAVIGATION, origin: 'https://other.example.com' }],
    ['another method', 'PUT', NAVIGATION],
    ['a preflight', 'OPTIONS', NAVIGATION],
    ['the end of a session', 'DELETE', NAVIGATION],
  ])('leaves as it is who asks for %s (WAY-02, HTTP-01)', async (_, method, headers) => {
    const answer = await sendHttp(desk.url, { method, headers });
    expect(seen(answer)).toEqual(seen(await sendHttp(without.url, { method, headers })));
    expect(isPage(answer)).toBe(false);
  });

  it('leaves a POST as it is, whatever it accepts (WAY-02)', async () => {
    const answer = async ({ url }: RunningApp) =>
      seen(await sendHttp(url, { json: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers: NAVIGATION }));
    expect(await answer(desk)).toEqual(await answer(without));
  });

  it('leaves the stream of a session as it is (WAY-02, HTTP-04)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    expect(stream.headers['content-type']).toBe('text/event-stream');
    await stream.close();
  });

  it('leaves the stream of HTTP+SSE as it is (WAY-02, SSE-01)', async () => {
    const other = await bootServer({ adapter, options: { sse: true } });
    const answer = await open({ accept: 'text/html' }, `${other.origin}/sse`);
    await other.close();
    expect(isPage(answer)).toBe(false);
  });

  it.each([
    ['another name that leads here', { host: 'rebound.example.com' }],
    ['an address of the network', { host: '192.168.0.7:3000' }],
    ['no name of a host', { host: 'localhost:3000, example.com' }],
    ['a proxy', { 'x-forwarded-for': '203.0.113.7' }],
    ['a proxy that names no address', { 'x-forwarded-proto': 'https' }],
    ['a proxy of the standard', { forwarded: 'for=203.0.113.7' }],
    ['a proxy of HTTP', { via: '1.1 proxy' }],
    ['nginx', { 'x-real-ip': '203.0.113.7' }],
    ['a network of proxies', { 'cf-connecting-ip': '203.0.113.7' }],
  ])('is not there for who comes by %s (WAY-02, HTTP-06)', async (_, headers) => {
    const answer = await open(headers);
    expect(isPage(answer)).toBe(false);
    expect(seen(answer)).toEqual(seen(await open(headers, without.url)));
  });

  it.each(['localhost', 'LOCALHOST:80', 'desk.localhost:3000', '127.0.0.1', '[::1]:3000'])(
    'is there for who calls this machine "%s" (WAY-02)',
    async (host) => {
      expect(isPage(await open({ host }))).toBe(true);
    },
  );

  it('is not there for HTTP/1.0, which proxies speak, and not for two hosts (WAY-02, HTTP-06)', async () => {
    const lines = (version: string, ...hosts: readonly string[]) =>
      [
        `GET /mcp HTTP/${version}`,
        ...hosts.map((host) => `Host: ${host}`),
        `Accept: ${NAVIGATION.accept}`,
        'Connection: close',
        '',
        '',
      ].join('\r\n');
    expect(await sendBytes(desk.port, lines('1.0', 'localhost'))).not.toContain('text/html');
    expect(await sendBytes(desk.port, lines('1.1', 'localhost', 'localhost'))).not.toContain('text/html');
    expect(await sendBytes(desk.port, lines('1.1', 'localhost'))).toContain('text/html');
  });
});

describe('The explorer in production', () => {
  const { NODE_ENV } = process.env;
  afterEach(() => {
    process.env.NODE_ENV = NODE_ENV;
  });

  it('is not there unless somebody wants it (WAY-02)', async () => {
    process.env.NODE_ENV = 'production';
    const desk = await bootServer();
    const answer = await sendHttp(desk.url, { headers: NAVIGATION });
    await desk.close();
    expect(isPage(answer)).toBe(false);
  });

  it.each([true, {}])(
    'stops the application that wants it for everybody, by %j (WAY-02, MOD-05)',
    async (explorer) => {
      process.env.NODE_ENV = 'production';
      await expect(bootServer({ options: { explorer } })).rejects.toThrow(
        'The MCP option "explorer.guard" is required if NODE_ENV is "production": set a guard, or disable the page',
      );
    },
  );
});
