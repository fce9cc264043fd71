import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject, type Message } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';

const NEWEST = '2026-07-28';
const INITIALIZE_PARAMS = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'e2e', version: '1' },
};

@Injectable()
class RevisionTool {
  @Tool({ description: 'Says which revision it is called in' })
  revision(_: object, context: McpContext): string {
    return `${context.revision.version} ${context.session === undefined ? 'without' : 'with'} session`;
  }
}

const claim = (version: unknown = NEWEST) => ({
  [metaKey('protocolVersion')]: version,
  [metaKey('clientCapabilities')]: {},
});
const request = (method: string, params?: JsonObject, id: string | number = 'r1') => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const versionHeader = (version: string, method?: string) => ({
  'mcp-protocol-version': version,
  ...(method !== undefined && { 'mcp-method': method }),
});

describe.each(ADAPTERS)('the classification of requests on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RevisionTool] });
  });

  afterAll(() => desk.close());

  async function send(message: unknown, headers: JsonObject = {}) {
    const answer = await post(desk.url, message, headers as Record<string, string>);
    return { status: answer.status, message: answer.text === '' ? undefined : (answer.json as Message) };
  }

  it('serves five revisions side by side at one path (VER-01)', async () => {
    const sessions = await Promise.all(
      HANDSHAKE_VERSIONS.map((version) => initialize(desk.url, { version })),
    );
    const answers = await Promise.all(
      [...sessions, perRequest(desk.url)].map((client) => client.request('tools/call', { name: 'revision' })),
    );
    expect(answers.map(({ result }) => result?.['content'])).toEqual(
      [...HANDSHAKE_VERSIONS.map((version) => `${version} with session`), `${NEWEST} without session`].map(
        (text) => [{ type: 'text', text }],
      ),
    );
  });

  it('takes malformed JSON for no revision: 400 and -32700 (VER-01)', async () => {
    const headers = { 'content-type': 'application/json', ...versionHeader(NEWEST, 'tools/list') };
    const answer = await sendHttp(desk.url, { method: 'POST', body: '{', headers });
    expect([answer.status, (answer.json as Message).error?.code]).toEqual([400, -32700]);
  });

  it.each<[string, unknown[]]>([
    ['is empty', []],
    ['has an element that is no message', [1]],
    ['has an element with a claim', [request('tools/list', { _meta: claim() })]],
    ['belongs to no session', [request('ping')]],
  ])('answers an array that %s with 400 and -32600 (VER-01)', async (_, array) => {
    const { status, message } = await send(array);
    expect([status, message?.error?.code]).toEqual([400, -32600]);
  });

  it('refuses a response outside of a session with 400 (VER-01)', async () => {
    const response = { jsonrpc: '2.0', id: 1, result: {} };
    expect((await send(response)).status).toBe(400);
    expect((await send(response, versionHeader(NEWEST))).status).toBe(400);
  });

  it('takes a response within a session with 202 (VER-01)', async () => {
    const session = await initialize(desk.url);
    expect((await session.post({ jsonrpc: '2.0', id: 1, result: {} })).status).toBe(202);
  });

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])(
    'takes %s with a claim for the stateless wire, which lacks it: 404 (VER-01)',
    async (method) => {
      const params = { ...INITIALIZE_PARAMS, level: 'info', uri: 'desk://a', _meta: claim() };
      const { status, message } = await send(request(method, params), versionHeader(NEWEST, method));
      expect([status, message?.error?.code, message?.id]).toEqual([404, -32601, 'r1']);
    },
  );

  it.each([NEWEST, '2027-01-01'])(
    'answers initialize without a claim under the header %s with -32020 (VER-01)',
    async (version) => {
      const { status, message } = await send(
        request('initialize', INITIALIZE_PARAMS),
        versionHeader(version, 'initialize'),
      );
      expect([status, message?.error?.code, message?.id]).toEqual([400, -32020, 'r1']);
    },
  );

  it.each<[string, JsonObject | undefined]>([
    ['no params', undefined],
    ['no _meta', {}],
    ['an empty _meta', { _meta: {} }],
    ['all of _meta but the version', { _meta: { [metaKey('clientCapabilities')]: {} } }],
  ])('answers %s under a header of the stateless wire with -32602 (VER-01)', async (_, params) => {
    const { status, message } = await send(
      request('tools/list', params),
      versionHeader(NEWEST, 'tools/list'),
    );
    expect([status, message?.error?.code, message?.id]).toEqual([400, -32602, 'r1']);
    expect(message?.error?.message).toContain(metaKey('protocolVersion'));
  });

  it('answers a claim that differs from the header with -32020 before it looks at the version (VER-01)', async () => {
    const body = request('tools/list', { _meta: claim('v999.0.0') });
    const { status, message } = await send(body, versionHeader(NEWEST, 'tools/list'));
    expect([status, message?.error?.code]).toEqual([400, -32020]);
  });

  it.each(['v999.0.0', '2025-11-25', '2025-03-26', '1900-01-01'])(
    'answers a claim of %s, which is not served so, with -32022 and what is (VER-01)',
    async (version) => {
      const body = request('tools/list', { _meta: claim(version) });
      const { status, message } = await send(body, versionHeader(version, 'tools/list'));
      expect([status, message?.error?.code]).toEqual([400, -32022]);
      expect(message?.error?.data).toEqual({ supported: [NEWEST], requested: version });
    },
  );

  it('takes a request with neither claim nor header for a session it does not name: 400 (VER-01)', async () => {
    const { status, message } = await send(request('tools/list', {}));
    expect([status, message?.error?.code]).toEqual([400, -32600]);
  });

  it('takes a declaration of capabilities without a version for no claim (VER-01)', async () => {
    const session = await initialize(desk.url, { version: '2025-06-18' });
    const params = { name: 'revision', _meta: { [metaKey('clientCapabilities')]: {} } };
    const { result } = await session.request('tools/call', params);
    expect(result?.['content']).toEqual([{ type: 'text', text: '2025-06-18 with session' }]);
    expect(result).not.toHaveProperty('resultType');
  });

  it.each([
    ['a claim', { _meta: claim() }, {}],
    ['a header of the stateless wire', {}, versionHeader(NEWEST)],
  ])('takes a notification with %s without a session (VER-01)', async (_, params, headers) => {
    const notification = { jsonrpc: '2.0', method: 'notifications/unheard_of', params };
    expect(await send(notification, headers)).toEqual({ status: 202, message: undefined });
  });

  it('refuses a notification with neither outside of a session: 400 (VER-01)', async () => {
    expect((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(400);
  });
});
