import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OutgoingHttpHeaders } from 'node:http';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { buildInitialize, post } from '../../support/clients/json-rpc.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const STREAM = { accept: 'text/event-stream' };

/** What a cache may keep for others although nothing is said of it (RFC 9110 §15.1), or keeps for a moment. */
const REFUSALS: readonly [number, string, string, OutgoingHttpHeaders][] = [
  [406, 'that takes no stream', 'GET', { accept: 'application/json' }],
  [400, 'without a session', 'GET', STREAM],
  [404, 'of a session that is not known', 'GET', { ...STREAM, 'mcp-session-id': 'unknown' }],
  [405, 'of the head', 'HEAD', STREAM],
  [403, 'of a foreign origin', 'GET', { ...STREAM, origin: 'https://foreign.example.com' }],
];

describe.each(ADAPTERS)('A request to the endpoint that is refused, on %s', (adapter) => {
  let desk: RunningApp;
  let stateless: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter });
    stateless = await bootServer({ adapter, options: { stateless: true } });
  });
  afterAll(() => Promise.all([desk.close(), stateless.close()]));

  it.each(REFUSALS)('is kept by no cache: %i to one %s (HTTP-01)', async (status, _, method, headers) => {
    const answer = await sendHttp(desk.url, { method, headers });
    expect([answer.status, answer.headers['cache-control']]).toEqual([status, 'no-store']);
    expect(answer.headers.vary).toMatch(/(?:^|, )Accept$/);
  });

  it('is kept by no cache where there are no sessions: 405 (HTTP-01)', async () => {
    const answer = await sendHttp(stateless.url, { headers: STREAM });
    expect([answer.status, answer.headers['cache-control']]).toEqual([405, 'no-store']);
    expect(answer.headers.vary).toBe('Accept');
  });

  it('says what it depends on besides the origin (HTTP-01)', async () => {
    const shared = await bootServer({ adapter, options: { cors: { origins: ['https://app.example.com'] } } });
    const answer = await sendHttp(shared.url, { headers: { accept: 'application/json' } });
    await shared.close();
    expect([answer.status, answer.headers.vary]).toEqual([406, 'Origin, Accept']);
  });

  it('leaves answers of POST as they are, which no cache keeps (HTTP-01)', async () => {
    const answer = await post(desk.url, buildInitialize());
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, undefined]);
  });
});
