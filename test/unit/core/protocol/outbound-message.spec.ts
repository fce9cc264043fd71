import { describe, expect, it } from '@jest/globals';
import { MetaKey } from '../../../../lib/core/protocol/meta-keys.js';
import {
  OutboundError,
  OutboundNotification,
  OutboundResult,
  SerializedResult,
} from '../../../../lib/core/protocol/outbound-message.js';
import { CountingPayload } from '../../support/counting-payload.js';

const parse = ({ json }: { json: string }) => JSON.parse(json) as unknown;

describe('OutboundNotification', () => {
  it.each<[string, object | undefined]>([
    ['no params', undefined],
    ['empty params', {}],
    ['params', { uri: 'desk://1', text: 'line\nbreak "quoted"  \u2028' }],
  ])('is one line of JSON-RPC with %s (NOTE-09)', (_what, params) => {
    const notification = new OutboundNotification('notifications/x', params);
    expect(parse(notification)).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/x',
      ...(params && { params }),
    });
    expect(notification.json).not.toContain('\n');
  });

  it('is serialized once, however many read it (NOTE-09)', () => {
    const payload = new CountingPayload({ level: 'info', data: 'x' });
    const notification = new OutboundNotification('notifications/message', payload);
    expect(payload.serialisations).toBe(0);
    const texts = new Set(Array.from({ length: 1000 }, () => notification.json));
    expect([texts.size, payload.serialisations]).toEqual([1, 1]);
  });

  it('is not serialized again for any subscription (NOTE-08, NOTE-09)', () => {
    const payload = new CountingPayload({ uri: 'desk://1' });
    const notification = new OutboundNotification('notifications/resources/updated', payload);
    for (let id = 0; id < 100; id++) expect(notification.taggedFor(id).json).toContain('desk://1');
    expect(payload.serialisations).toBe(1);
  });

  it.each<[string, string | number]>([
    ['a number', 7],
    ['zero', 0],
    ['a text', 'listen-1'],
    ['a text of digits', '7'],
    ['text that has to be escaped', '"}],\\ \u2028 😀'],
  ])('carries the id of a subscription that is %s with its type (NOTE-08)', (_what, id) => {
    for (const params of [undefined, {}, { uri: 'desk://}}', list: [1, { a: 2 }] }]) {
      const notification = new OutboundNotification('notifications/resources/updated', params);
      expect(parse(notification.taggedFor(id))).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/resources/updated',
        params: { _meta: { [MetaKey.subscriptionId]: id }, ...params },
      });
    }
  });

  it.each<[string, object, object]>([
    [
      'members of its own',
      { _meta: { 'com.example/trace': 'a' }, uri: 'desk://1' },
      { 'com.example/trace': 'a' },
    ],
    ['nothing in it', { _meta: {}, uri: 'desk://1' }, {}],
    [
      'the id of another subscription',
      { uri: 'desk://1', _meta: { [MetaKey.subscriptionId]: 9, a: 1 } },
      { a: 1 },
    ],
    ['what is no object', { uri: 'desk://1', _meta: 'x' }, {}],
  ])('carries the id of a subscription beside a "_meta" with %s (NOTE-08)', (_what, params, meta) => {
    const notification = new OutboundNotification('notifications/x', params);
    for (const id of [7, 'listen-1']) {
      const { json } = notification.taggedFor(id);
      expect(json.match(/"_meta"/g)).toHaveLength(1);
      expect(JSON.parse(json)).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/x',
        params: { uri: 'desk://1', _meta: { ...meta, [MetaKey.subscriptionId]: id } },
      });
    }
  });

  it('takes a "_meta" deeper down for what it is (NOTE-08)', () => {
    const params = { item: { _meta: { a: 1 } }, text: '"_meta":{' };
    expect(parse(new OutboundNotification('notifications/x', params).taggedFor(7))).toMatchObject({
      params: { ...params, _meta: { [MetaKey.subscriptionId]: 7 } },
    });
  });

  it('is not serialized again where its params have a "_meta" (NOTE-08, NOTE-09)', () => {
    const payload = new CountingPayload({ _meta: { a: 1 }, uri: 'desk://1' });
    const notification = new OutboundNotification('notifications/x', payload);
    for (let id = 0; id < 100; id++) {
      expect(parse(notification.taggedFor(id))).toMatchObject({
        params: { _meta: { a: 1, [MetaKey.subscriptionId]: id } },
      });
    }
    expect(payload.serialisations).toBe(1);
  });

  it('leaves the untagged message as it is (NOTE-08)', () => {
    const notification = new OutboundNotification('notifications/tools/list_changed');
    notification.taggedFor(1);
    expect(notification.json).toBe('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}');
  });
});

describe('OutboundResult', () => {
  it('is a response with HTTP status 200 that is serialized once (NOTE-09)', () => {
    const payload = new CountingPayload({ content: [] });
    const response = new OutboundResult('a', payload);
    expect(parse(response)).toEqual({ jsonrpc: '2.0', id: 'a', result: { content: [] } });
    expect([response.json.length > 0, response.httpStatus, payload.serialisations]).toEqual([true, 200, 1]);
  });

  it.each(['"', 'a\nb', '😀', 0, -1])('answers the id %j with the same id (CORE-01)', (id) => {
    const shared = new SerializedResult('{"tools":[]}');
    for (const result of [shared, { tools: [] }]) {
      expect(parse(new OutboundResult(id, result))).toEqual({ jsonrpc: '2.0', id, result: { tools: [] } });
    }
  });

  it('lends JSON that many answers share (CORE-04)', () => {
    const shared = new SerializedResult('{"tools":[1]}');
    expect(new OutboundResult(1, shared).json).toBe('{"jsonrpc":"2.0","id":1,"result":{"tools":[1]}}');
    expect(new OutboundResult(2, shared).json).toBe('{"jsonrpc":"2.0","id":2,"result":{"tools":[1]}}');
  });

  it.each([1, '😀'])(
    'lends long JSON as bytes, which are encoded once for all answers (CORE-04): id %j',
    (id) => {
      const shared = new SerializedResult(JSON.stringify({ tools: 'ü'.repeat(5000) }));
      const response = new OutboundResult(id, shared);
      const [head, rest] = response.pieces ?? [];
      expect(head + Buffer.from(rest ?? []).toString()).toBe(response.json);
      expect(new OutboundResult(2, shared).pieces?.[1]).toBe(rest);
    },
  );

  it('has no pieces where its JSON is short, or is its own (CORE-04)', () => {
    expect(new OutboundResult(1, new SerializedResult('{"tools":[]}')).pieces).toBeUndefined();
    expect(new OutboundResult(1, { text: 'x'.repeat(5000) }).pieces).toBeUndefined();
  });
});

describe('OutboundError', () => {
  it('has no id where that of the request could not be read (CORE-01)', () => {
    const error = { code: -32700, message: 'Parse error' };
    expect(new OutboundError(undefined, error, 400).json).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}',
    );
  });

  it('keeps its HTTP status to itself (CORE-01)', () => {
    const response = new OutboundError(1, { code: -32020, message: 'Header mismatch' }, 400);
    expect(response.httpStatus).toBe(400);
    expect(parse(response)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32020, message: 'Header mismatch' },
    });
  });
});
