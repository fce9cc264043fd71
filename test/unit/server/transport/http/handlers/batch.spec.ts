import { describe, expect, it } from '@jest/globals';
import { MetaKey } from '../../../../../../lib/core/protocol/meta-keys.js';
import { OutboundError, OutboundResult } from '../../../../../../lib/core/protocol/outbound-message.js';
import { BatchResponse, parseBatch } from '../../../../../../lib/server/transport/http/handlers/requests.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
const ANSWER = { jsonrpc: '2.0', id: 1, result: {} };
const claimed = (message: object) => ({
  ...message,
  params: { _meta: { [MetaKey.protocolVersion]: '2026-07-28' } },
});

describe('parseBatch (MCP 2025-03-26 basic, "Batching")', () => {
  it('tells the kinds of its messages apart, in their order (CORE-09)', () => {
    const kinds = parseBatch([PING, INITIALIZED, ANSWER, { ...PING, id: 2 }], 4).map(({ kind }) => kind);
    expect(kinds).toEqual(['request', 'notification', 'response', 'request']);
  });

  it.each<[string, unknown[]]>([
    ['no messages', []],
    ['more messages than allowed', Array.from({ length: 5 }, () => PING)],
    ['a bad message', [PING, { id: 2, method: 'ping' }]],
    ['a number', [PING, 1]],
    ['a batch within', [[PING]]],
    ['an initialize', [{ ...PING, method: 'initialize' }]],
    ['a request of the stateless wire', [PING, claimed(PING)]],
    ['a notification of the stateless wire', [claimed(INITIALIZED)]],
  ])('refuses %s whole, with -32600 and HTTP status 400 (CORE-09)', (_what, values) => {
    expect(() => parseBatch(values, 4)).toThrow(expect.objectContaining({ code: -32600, httpStatus: 400 }));
  });
});

describe('BatchResponse', () => {
  const responses = (result: object) => [
    new OutboundResult(1, result),
    new OutboundError('b', { code: -32601, message: 'No' }, 404),
  ];

  it('is an array of the responses, with HTTP status 200 (CORE-09)', () => {
    const batch = new BatchResponse(responses({ content: [] }));
    expect([batch.httpStatus, JSON.parse(batch.json)]).toEqual([
      200,
      [
        { jsonrpc: '2.0', id: 1, result: { content: [] } },
        { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'No' } },
      ],
    ]);
  });

  it('is made once, however often it is read (NOTE-09)', () => {
    let reads = 0;
    class CountedResult extends OutboundResult {
      override get json(): string {
        reads += 1;
        return super.json;
      }
    }
    const batch = new BatchResponse([new CountedResult(1, {})]);
    for (let round = 0; round < 10; round++)
      expect(batch.json).toBe('[{"jsonrpc":"2.0","id":1,"result":{}}]');
    expect(reads).toBe(1);
  });
});
