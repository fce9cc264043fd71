import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ToolError } from '../../../../lib/server/context/tool-errors.js';
import { MethodTable } from '../../../../lib/server/dispatch/method-table.js';
import type { McpMethod, MethodResult } from '../../../../lib/server/methods/mcp-method.interface.js';
import { PingMethod } from '../../../../lib/server/methods/handshake.methods.js';
import { McpError } from '../../../../lib/core/protocol/mcp.error.js';
import { MetaKey } from '../../../../lib/core/protocol/meta-keys.js';
import { SerializedResult } from '../../../../lib/core/protocol/outbound-message.js';
import { REVISIONS } from '../../../../lib/core/protocol/revisions.js';
import { CapturedLog } from '../../support/captured-log.js';
import { TestDispatch } from '../../support/dispatch.js';
import { buildPeer, buildRequest, getRevision, openSession } from '../../support/requests.js';
import { SERVER_INFO } from '../../support/settings.js';

type Handle = McpMethod['handle'];

const toolsCall = (handle: Handle): McpMethod => ({ method: 'tools/call', failsAsResult: true, handle });
const promptsGet = (handle: Handle): McpMethod => ({ method: 'prompts/get', handle });
const fail = (failure: unknown) => () => Promise.reject(failure);

const CALL = buildRequest('tools/call', { name: 'x' });

describe('MethodTable', () => {
  const table = new MethodTable([new PingMethod(), promptsGet(() => ({}))]);

  it.each(REVISIONS)('gives to $version what that revision has (CORE-03)', (revision) => {
    expect(table.find('prompts/get', revision)?.method).toBe('prompts/get');
    expect(table.find('ping', revision) !== undefined).toBe(revision.kind === 'handshake');
  });

  it.each(['tools/list', 'Ping', 'constructor', '__proto__', ''])('has no method %j (CORE-01)', (method) => {
    expect(table.find(method, getRevision('2025-11-25'))).toBeUndefined();
  });
});

describe('RequestDispatcher', () => {
  let log: CapturedLog;

  beforeEach(() => {
    log = CapturedLog.begin();
  });

  afterEach(() => log.release());

  it('answers with what the method gives, under the id of the request (CORE-01)', async () => {
    const dispatch = new TestDispatch([promptsGet(() => ({ messages: [] }))]);
    for (const id of [0, 'a', '']) {
      const request = buildRequest('prompts/get', {}, id);
      expect(await dispatch.request(request, { peer: openSession() })).toEqual({
        jsonrpc: '2.0',
        id,
        result: { messages: [] },
        status: 200,
      });
    }
  });

  it('seals results of the stateless wire, but not those that are JSON already (VER-03)', async () => {
    let result: MethodResult = { messages: [] };
    const dispatch = new TestDispatch([promptsGet(() => result)]);
    const request = buildRequest('prompts/get');
    expect(await dispatch.request(request)).toMatchObject({
      result: { messages: [], resultType: 'complete', _meta: { [MetaKey.serverInfo]: SERVER_INFO } },
    });
    result = new SerializedResult('{"shared":true}');
    expect((await dispatch.request(request))?.['result']).toEqual({ shared: true });
  });

  it.each([
    ['2025-11-25', 200],
    ['2026-07-28', 404],
  ])('answers a method that %s lacks with -32601 and HTTP status %d (CORE-01)', async (version, status) => {
    const dispatch = new TestDispatch([new PingMethod()]);
    const answer = await dispatch.request(buildRequest('tools/rename', {}, 'a'), {
      peer: buildPeer(version),
    });
    expect(answer).toMatchObject({ id: 'a', error: { code: -32601 }, status });
  });

  it('answers failures of a tool as results and those of other methods as errors (CORE-05)', async () => {
    const failure = new ToolError('Closed');
    const dispatch = new TestDispatch([toolsCall(fail(failure)), promptsGet(fail(failure))]);
    expect(await dispatch.request(CALL)).toMatchObject({
      result: { isError: true, content: [{ text: 'Closed' }], resultType: 'complete' },
    });
    expect(await dispatch.request(buildRequest('prompts/get'))).toMatchObject({
      error: { code: -32603, message: 'Closed' },
    });
  });

  it('answers an McpError with its code, its data and its HTTP status (CORE-05)', async () => {
    const error = new McpError(-32021, 'Needs sampling', { requiredCapabilities: {} }, 400);
    const dispatch = new TestDispatch([toolsCall(fail(error))]);
    expect(await dispatch.request(CALL)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32021, message: 'Needs sampling', data: { requiredCapabilities: {} } },
      status: 400,
    });
  });

  it('answers a method that throws at once (SAFE-04)', async () => {
    const crash = (): never => {
      throw new Error('secret');
    };
    const dispatch = new TestDispatch([toolsCall(crash), promptsGet(crash)]);
    const answers = [await dispatch.request(CALL), await dispatch.request(buildRequest('prompts/get'))];
    expect(answers).toMatchObject([{ result: { isError: true } }, { error: { code: -32603 } }]);
    expect(JSON.stringify(answers)).not.toContain('secret');
  });

  describe('answers what cannot be serialized', () => {
    it.each<[string, object]>([
      ['a bigint', { content: [], structuredContent: { amount: 1n } }],
      [
        'something that throws',
        {
          content: [],
          structuredContent: {
            toJSON() {
              throw new Error('not today');
            },
          },
        },
      ],
    ])('%s in a result: as a failure (SAFE-04)', async (_what, result) => {
      const dispatch = new TestDispatch([
        toolsCall(() => result as MethodResult),
        promptsGet(() => result as MethodResult),
      ]);
      expect(await dispatch.request(CALL)).toMatchObject({ result: { isError: true } });
      expect(await dispatch.request(buildRequest('prompts/get'))).toMatchObject({ error: { code: -32603 } });
    });

    it('a bigint in the data of an error: without them (SAFE-04)', async () => {
      const dispatch = new TestDispatch([toolsCall(fail(new McpError(-32001, 'No', { amount: 1n }, 400)))]);
      expect(await dispatch.request(CALL)).toEqual({
        jsonrpc: '2.0',
        id: 1,
        error: { code: -32001, message: 'No' },
        status: 400,
      });
    });
  });

  it.each<[string, () => unknown]>([
    ['a proxy that was revoked', createRevokedProxy],
    ['an exception that cannot be read', () => Object.assign(new ToolError('x'), { message: 1n })],
    ['an object without a prototype', () => Object.create(null) as unknown],
  ])('answers a handler that throws %s (SAFE-04)', async (_what, create) => {
    const throwIt = (): never => {
      throw create();
    };
    const dispatch = new TestDispatch([toolsCall(throwIt), promptsGet(throwIt)]);
    const answers = [await dispatch.request(CALL), await dispatch.request(buildRequest('prompts/get'))];
    for (const answer of answers) expect(answer?.['result'] ?? answer?.['error']).toBeDefined();
    expect(dispatch.detached.all()).toEqual([]);
  });

  function createRevokedProxy(): object {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  }
});
