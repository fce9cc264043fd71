import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { PER_REQUEST_VERSION, perRequest, post } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject, type Message } from '../../support/clients/message.js';

const CLAIM = {
  [metaKey('protocolVersion')]: PER_REQUEST_VERSION,
  [metaKey('clientCapabilities')]: {},
};
const UNSERVED = { ...CLAIM, [metaKey('protocolVersion')]: 'v999.0.0' };

@Injectable()
class RegionTool {
  @Tool({
    description: 'Searches',
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
  })
  search({ region }: { region: string }): string {
    return region;
  }
}

interface Request {
  readonly method?: string;
  readonly params?: JsonObject;
  readonly meta?: JsonObject;
  readonly headers?: OutgoingHttpHeaders;
}

const right = {
  'mcp-protocol-version': PER_REQUEST_VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'search',
};

describe.each(ADAPTERS)('the checks of the stateless wire on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [RegionTool] });
  });

  afterAll(() => desk.close());

  /** Sends a request with exactly these headers. */
  async function send({ method = 'tools/call', params, meta = CLAIM, headers = right }: Request) {
    const given = params ?? { name: 'search', arguments: { region: 'eu' } };
    const message = { jsonrpc: '2.0', id: 'ladder', method, params: { ...given, _meta: meta } };
    const answer = await post(desk.url, message, headers);
    const { id, error, result } = answer.json as Message;
    return { status: answer.status, id, error, result };
  }

  it.each<[string, Request, [status: number, code: number]]>([
    [
      'capabilities that are missing before a header that is missing',
      { meta: { ...CLAIM, [metaKey('clientCapabilities')]: undefined }, headers: {} },
      [400, -32602],
    ],
    [
      'capabilities that are no object before a version that differs',
      { meta: { ...UNSERVED, [metaKey('clientCapabilities')]: [] }, headers: right },
      [400, -32602],
    ],
    [
      'a version that is no string before a header that differs',
      { meta: { ...CLAIM, [metaKey('protocolVersion')]: 20260728 }, headers: right },
      [400, -32602],
    ],
    ['a missing version header before an unserved version', { meta: UNSERVED, headers: {} }, [400, -32020]],
    [
      'a differing version header before an unserved version',
      { meta: UNSERVED, headers: right },
      [400, -32020],
    ],
    [
      'an unserved version before a missing Mcp-Method',
      { meta: UNSERVED, headers: { 'mcp-protocol-version': 'v999.0.0' } },
      [400, -32022],
    ],
    [
      'a missing Mcp-Method before an unknown method',
      { method: 'tickets/list', headers: { 'mcp-protocol-version': PER_REQUEST_VERSION } },
      [400, -32020],
    ],
    ['a differing Mcp-Method before an unknown method', { method: 'tickets/list' }, [400, -32020]],
    [
      'a missing Mcp-Name before an unknown tool',
      { params: { name: 'missing' }, headers: { ...right, 'mcp-name': [] } },
      [400, -32020],
    ],
    ['a differing Mcp-Name before an unknown tool', { params: { name: 'missing' } }, [400, -32020]],
    [
      'an unknown method before anything its params lack',
      { method: 'tickets/list', params: {}, headers: { ...right, 'mcp-method': 'tickets/list' } },
      [404, -32601],
    ],
    [
      'a missing Mcp-Param before arguments that are invalid',
      { params: { name: 'search', arguments: { region: 'eu', extra: 1 } } },
      [400, -32020],
    ],
    [
      'an unknown tool last',
      { params: { name: 'missing' }, headers: { ...right, 'mcp-name': 'missing' } },
      [200, -32602],
    ],
  ])('answer %s, with the id (VER-04)', async (_, request, [status, code]) => {
    const answer = await send(request);
    expect([answer.status, answer.error?.code, answer.id]).toEqual([status, code, 'ladder']);
  });

  it('serve a request that is right (VER-04)', async () => {
    const answer = await send({ headers: { ...right, 'mcp-param-region': 'eu' } });
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: 'eu' }]);
  });

  it('serve a request that does not say who the client is (VER-04)', async () => {
    const answer = await perRequest(desk.url).request(
      'tools/list',
      {},
      { meta: { [metaKey('clientInfo')]: undefined } },
    );
    expect(answer.result).toHaveProperty('tools');
  });

  it('read header names in any case (VER-04)', async () => {
    const headers = {
      'MCP-PROTOCOL-VERSION': PER_REQUEST_VERSION,
      'mCp-MeThOd': 'tools/call',
      'MCP-NAME': 'search',
      'MCP-PARAM-REGION': 'eu',
    };
    expect((await send({ headers })).status).toBe(200);
  });

  it('trim white space around header values (VER-04)', async () => {
    const headers = {
      'mcp-protocol-version': `  ${PER_REQUEST_VERSION}\t`,
      'mcp-method': ' tools/call ',
      'mcp-name': '\tsearch',
      'mcp-param-region': ' eu ',
    };
    expect((await send({ headers })).status).toBe(200);
  });

  it.each<OutgoingHttpHeaders>([
    { 'mcp-method': 'TOOLS/CALL' },
    { 'mcp-method': 'tools/list' },
    { 'mcp-method': '' },
    { 'mcp-method': ['tools/call', 'tools/call'] },
    { 'mcp-name': 'Search' },
    { 'mcp-name': '' },
    { 'mcp-protocol-version': '2025-11-25' },
    { 'mcp-protocol-version': '' },
  ])('refuse the header %j, which differs from the body, with -32020 (VER-04)', async (wrong) => {
    const answer = await send({ headers: { ...right, 'mcp-param-region': 'eu', ...wrong } });
    expect([answer.status, answer.error?.code]).toEqual([400, -32020]);
  });

  it.each(['server/discover', 'tools/list', 'resources/list', 'prompts/list', 'completion/complete'])(
    'ask no Mcp-Name of %s (VER-04)',
    async (method) => {
      const params = { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } };
      const headers = { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': method };
      expect((await send({ method, params, headers })).status).toBe(200);
    },
  );

  it.each([
    ['resources/read', { uri: 'desk://a' }],
    ['prompts/get', { name: 'reply' }],
    ['tools/call', { name: 'search' }],
  ])('ask Mcp-Name of %s (VER-04)', async (method, params) => {
    const headers = { 'mcp-protocol-version': PER_REQUEST_VERSION, 'mcp-method': method };
    const answer = await send({ method, params, headers });
    expect([answer.status, answer.error?.code]).toEqual([400, -32020]);
  });

  it('refuse a log level that does not exist with -32602 (VER-04)', async () => {
    const answer = await send({
      meta: { ...CLAIM, [metaKey('logLevel')]: 'loud' },
      headers: { ...right, 'mcp-param-region': 'eu' },
    });
    expect(answer.error?.code).toBe(-32602);
  });
});
