import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { EventStream } from '../../support/clients/event-stream.js';
import {
  buildInitialize,
  initialize,
  PER_REQUEST_VERSION,
  post,
  type SessionClient,
} from '../../support/clients/json-rpc.js';
import { metaKey, type Message } from '../../support/clients/message.js';
import { openHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';

const INITIALIZE = buildInitialize({ version: '2025-03-26' });
const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/unheard_of' };
const RESPONSE = { jsonrpc: '2.0', id: 'unheard-of', result: {} };

@Injectable()
class ReportingTool {
  @Tool({ description: 'Reports progress' })
  report(_: object, context: McpContext): string {
    context.progress(1);
    return 'reported';
  }
}

describe.each(ADAPTERS)('batches on %s', (adapter) => {
  let desk: RunningApp;
  let session: SessionClient;

  beforeAll(async () => {
    desk = await bootServer({ adapter, options: { limits: { batchSize: 5 } }, providers: [ReportingTool] });
    session = await initialize(desk.url, { version: '2025-03-26' });
  });

  afterAll(() => desk.close());

  const expectRefusal = (answer: RawResponse) => {
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { code: -32600 } });
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  };

  it('are answered with one array in 2025-03-26 (CORE-09)', async () => {
    const answer = await session.post([ping(1), NOTIFICATION, ping('two')]);
    const responses = answer.json as Message[];
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      expect.stringMatching(/^application\/json/),
    ]);
    expect(responses).toHaveLength(2);
    expect(responses).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 1, result: {} },
        { jsonrpc: '2.0', id: 'two', result: {} },
      ]),
    );
  });

  it('of one request are answered with an array too (CORE-09)', async () => {
    const answer = await session.post([ping(3)]);
    expect(answer.json).toEqual([{ jsonrpc: '2.0', id: 3, result: {} }]);
  });

  it('of notifications alone are answered with 202 (CORE-09)', async () => {
    const answer = await session.post([NOTIFICATION, NOTIFICATION]);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('of responses alone are answered with 202 (CORE-09)', async () => {
    const answer = await session.post([RESPONSE, RESPONSE]);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it('keep the failure of one request to itself (CORE-09)', async () => {
    const answer = await session.post([{ ...ping(4), method: 'tickets/list' }, ping(5)]);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 4, error: expect.objectContaining({ code: -32601 }) }),
        { jsonrpc: '2.0', id: 5, result: {} },
      ]),
    );
  });

  it('are answered with a stream where a request emits something, until all have their answer (CORE-09)', async () => {
    const params = { name: 'report', _meta: { progressToken: 'p' } };
    const call = { jsonrpc: '2.0', id: 6, method: 'tools/call', params };
    const response = await openHttp(desk.url, {
      json: [call, ping(7)],
      headers: { accept: 'application/json, text/event-stream', ...session.headers },
    });
    const stream = new EventStream(response);
    await within(stream.ended, 'the end of the stream');

    const messages = stream.messages.flat();
    expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
    expect(messages.flatMap(({ id }) => id ?? [])).toEqual(expect.arrayContaining([6, 7]));
  });

  it('are refused when they are empty (CORE-09)', async () => {
    expectRefusal(await session.post([]));
  });

  it.each([[1], [null], [[]], [{}]])('are refused with the element %j in them (CORE-09)', async (element) => {
    expectRefusal(await session.post([ping(8), element]));
  });

  it('are refused beyond "batchSize" (CORE-09)', async () => {
    expectRefusal(await session.post([1, 2, 3, 4, 5, 6].map(ping)));
    expect((await session.post([1, 2, 3, 4, 5].map(ping))).status).toBe(200);
  });

  it('are refused with an initialize in them (CORE-09)', async () => {
    expectRefusal(await post(desk.url, [INITIALIZE]));
    expectRefusal(await post(desk.url, [INITIALIZE, ping(2)]));
    expectRefusal(await session.post([ping(2), INITIALIZE]));
  });

  it('are refused without a session (CORE-09)', async () => {
    expectRefusal(await post(desk.url, [ping(1)]));
  });

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('are refused in %s (CORE-09)', async (version) => {
    const other = await initialize(desk.url, { version });
    expectRefusal(await other.post([ping(1)]));
    expectRefusal(await other.post([NOTIFICATION]));
    expect((await other.request('ping')).result).toEqual({});
  });

  it('are refused on the stateless wire (CORE-09)', async () => {
    const _meta = {
      [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
      [metaKey('clientCapabilities')]: {},
    };
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
    const headers = { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': 'tools/list' };
    expectRefusal(await post(desk.url, [request], headers));
    expectRefusal(await session.post([ping(1), request]));
    expectRefusal(await session.post([ping(1), { ...NOTIFICATION, params: { _meta } }]));
  });
});
