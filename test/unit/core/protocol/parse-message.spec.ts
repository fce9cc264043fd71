import { describe, expect, it } from '@jest/globals';
import { isRequestId } from '../../../../lib/core/protocol/json-rpc.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { findRequestId, parseJson, parseMessage } from '../../../../lib/core/protocol/parse-message.js';

function catchError(work: () => unknown): McpError {
  try {
    work();
  } catch (error) {
    if (error instanceof McpError) return error;
    throw error;
  }
  throw new Error('Expected an McpError');
}

describe('parseJson (JSON-RPC 2.0 §5.1)', () => {
  it.each(['', '{', '{"a":1,}', "{'a':1}", 'undefined', 'NaN', '\ufeff{}', '{"a":1}{"b":2}'])(
    'answers %j with -32700 and HTTP status 400 (CORE-01)',
    (text) => {
      expect(catchError(() => parseJson(text))).toMatchObject({ code: -32700, httpStatus: 400 });
    },
  );

  it('repeats nothing of the body in the error (CORE-01)', () => {
    expect(catchError(() => parseJson('{"password": hunter2}')).message).not.toContain('hunter2');
  });
});

describe('parseMessage (JSON-RPC 2.0 §4 and §5)', () => {
  it.each([
    ['request', { jsonrpc: '2.0', id: 1, method: 'ping' }],
    ['request', { jsonrpc: '2.0', id: '', method: 'ping', params: {} }],
    ['request', { jsonrpc: '2.0', id: 0, method: 'ping', result: {} }],
    ['request', { jsonrpc: '2.0', id: -7, method: 'ping', params: { _meta: {} } }],
    ['notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['notification', { jsonrpc: '2.0', method: '__proto__', params: {} }],
    ['response', { jsonrpc: '2.0', id: 'a', result: {} }],
    ['response', { jsonrpc: '2.0', id: 'a', result: null }],
    ['response', { jsonrpc: '2.0', id: 2, error: { code: -1, message: 'no' } }],
    ['response', { jsonrpc: '2.0', error: { code: -32700, message: 'what?' } }],
  ])('takes for a %s: %j (CORE-01)', (kind, value) => {
    expect(parseMessage(value)).toEqual({ kind, message: value });
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a string', 'ping'],
    ['a number', 1],
    ['an array', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    ['no version', { id: 1, method: 'ping' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['a version that is a number', { jsonrpc: 2, id: 1, method: 'ping' }],
    ['neither method nor result', { jsonrpc: '2.0', id: 1 }],
    ['result and error', { jsonrpc: '2.0', id: 1, result: {}, error: { code: 1, message: '' } }],
    ['a result without an id', { jsonrpc: '2.0', result: {} }],
    ['a result for null', { jsonrpc: '2.0', id: null, result: {} }],
    ['an error that is a text', { jsonrpc: '2.0', id: 1, error: 'no' }],
    ['a method that is a number', { jsonrpc: '2.0', id: 1, method: 7 }],
    ['an empty method', { jsonrpc: '2.0', id: 1, method: '' }],
    ['the id null', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['an id that is a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['an id that is a boolean', { jsonrpc: '2.0', id: true, method: 'ping' }],
    ['params by position', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }],
    ['params null', { jsonrpc: '2.0', id: 1, method: 'ping', params: null }],
    ['params that are a text', { jsonrpc: '2.0', method: 'ping', params: 'x' }],
  ])('answers %s with -32600 and HTTP status 400 (CORE-01)', (_form, value) => {
    expect(catchError(() => parseMessage(value))).toMatchObject({ code: -32600, httpStatus: 400 });
  });

  it.each([null, [], 'x', 1])('answers the "_meta" %j with -32602 and HTTP status 400 (VER-04)', (_meta) => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } };
    expect(catchError(() => parseMessage(message))).toMatchObject({ code: -32602, httpStatus: 400 });
  });

  it('leaves names of the object prototype what they are: members without meaning (CORE-01)', () => {
    const text =
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"_meta":7,"name":"x"},"constructor":{"prototype":{"polluted":1}}}}';
    const { kind, message } = parseMessage(parseJson(text));
    expect(kind).toBe('request');
    expect(Object.getPrototypeOf((message as { params: object }).params)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('does not take inherited members for given ones (CORE-01)', () => {
    const text = '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}';
    expect(catchError(() => parseMessage(parseJson(text))).code).toBe(-32600);
  });
});

describe('A request id (MCP basic)', () => {
  it.each<[unknown, boolean]>([
    ['', true],
    ['7', true],
    [7, true],
    [-1, true],
    [Number.MAX_SAFE_INTEGER, true],
    [1.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [null, false],
    [undefined, false],
    [{}, false],
    [[1], false],
    [true, false],
  ])('%p is one: %p (CORE-01)', (value, isOne) => {
    expect(isRequestId(value)).toBe(isOne);
  });

  it('is refused where a number would come back as another (CORE-01)', () => {
    const message = parseJson('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}');
    expect(catchError(() => parseMessage(message)).code).toBe(-32600);
  });
});

describe('findRequestId', () => {
  it.each<[unknown, unknown]>([
    [{ id: 1, method: 'ping' }, 1],
    [{ jsonrpc: '1.0', id: 'a', method: '' }, 'a'],
    [{ id: 1, method: 'ping', params: [] }, 1],
    [{ id: null, method: 'ping' }, undefined],
    [{ id: 1.5, method: 'ping' }, undefined],
    [{ id: 1, result: {} }, undefined],
    [{ method: 'ping' }, undefined],
    [[{ id: 1, method: 'ping' }], undefined],
    ['ping', undefined],
    [null, undefined],
  ])('gives for %j the id %p, which the error is to carry (CORE-01)', (value, id) => {
    expect(findRequestId(value)).toBe(id);
  });
});
