import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize, initialize, post } from '../../support/clients/json-rpc.js';
import type { Message } from '../../support/clients/message.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const STREAM = { accept: 'text/event-stream' };
const LISTING = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const textOf = ({ json }: RawResponse): string | undefined => (json as Message).error?.message;

describe.each(ADAPTERS)('a client that mistakes one address for the other, on %s', (adapter) => {
  let desk: RunningApp;
  let plain: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { sse: true, explorer: false } });
    plain = await bootServer({ adapter, options: { explorer: false } });
  });

  afterAll(() => Promise.all([desk.close(), plain.close()]));

  it('learns at that of HTTP+SSE where streamable HTTP is (SSE-01)', async () => {
    const answer = await post(`${desk.origin}/sse`, buildInitialize());
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST']);
    expect(textOf(answer)).toMatch(/a GET opens the HTTP\+SSE stream.*streamable HTTP is at "\/mcp"/);
  });

  it('learns so when it would end a session there (SSE-01)', async () => {
    const session = await initialize(desk.url);
    const headers = { 'mcp-session-id': session.id };
    const answer = await sendHttp(`${desk.origin}/sse`, { method: 'DELETE', headers });
    expect(answer.status).toBe(405);
    expect(textOf(answer)).toMatch(/ends when its stream is closed; streamable HTTP is at "\/mcp"/);
    expect((await session.request('ping')).result).toEqual({});
  });

  it.each([
    ['a browser', BROWSER],
    ['a client that opens the stream of HTTP+SSE', STREAM],
  ])('learns at the endpoint where HTTP+SSE is, as %s (HTTP-03)', async (_, headers) => {
    const answers = [await sendHttp(desk.url, { headers }), await sendHttp(plain.url, { headers })];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers.map(textOf)).toEqual([
      expect.stringMatching(/"Mcp-Session-Id" is missing: this is an MCP endpoint.*HTTP\+SSE is at "\/sse"/),
      expect.stringMatching(/send POST requests; HTTP\+SSE is not served/),
    ]);
  });

  it('learns at the endpoint what it is if it takes no stream (HTTP-02)', async () => {
    const answer = await sendHttp(desk.url, { headers: { accept: 'text/html' } });
    expect([answer.status, textOf(answer)]).toEqual([
      406,
      expect.stringMatching(/must allow text\/event-stream: this is an MCP endpoint/),
    ]);
  });

  it('learns where it belongs what it posts to the endpoint for a stream (HTTP-03)', async () => {
    const answer = await post(`${desk.url}?sessionId=8e07a9c8`, LISTING);
    expect([answer.status, textOf(answer)]).toEqual([
      400,
      expect.stringMatching(/"sessionId" in the URL is for HTTP\+SSE/),
    ]);
  });

  it('learns that a server without sessions has no streams to open (STLS-02)', async () => {
    const stateless = await bootServer({ adapter, options: { stateless: true } });
    const answer = await sendHttp(stateless.url, { headers: STREAM });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(textOf(answer)).toMatch(
      /no sessions with a stream that a GET could open.*HTTP\+SSE is not served/,
    );
    await stateless.close();
  });

  it('learns the addresses that the public URL stands for (MOD-09)', async () => {
    const publicUrl = 'https://desk.example.com/tools/mcp/';
    const proxied = await bootServer({ adapter, options: { sse: true, publicUrl } });
    expect(textOf(await post(`${proxied.origin}/sse`, buildInitialize()))).toContain(`"${publicUrl}"`);
    expect(textOf(await sendHttp(proxied.url, { headers: STREAM }))).toContain('"/tools/sse"');
    await proxied.close();
  });
});
