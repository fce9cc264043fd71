import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { ResourceTemplate, Tool } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import type { Answer } from '../../support/clients/call.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';

const encode = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

@Injectable()
class DeskHandlers {
  @Tool({
    description: 'Searches',
    inputSchema: {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        limit: { type: 'integer', 'x-mcp-header': 'Limit' },
        open: { type: 'boolean', 'x-mcp-header': 'Open' },
        where: {
          type: 'object',
          properties: { floor: { type: 'string', 'x-mcp-header': 'Floor' } },
        },
        plain: { type: 'string' },
      },
    },
  })
  search(found: object): string {
    return JSON.stringify(found);
  }

  @ResourceTemplate({ uriTemplate: 'desk://files/{+name}' })
  file({ uri }: { uri: string }): string {
    return uri;
  }
}

describe.each(ADAPTERS)('the values of mirrored headers on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [DeskHandlers] });
  });

  afterAll(() => desk.close());

  const search = (given: JsonObject, headers: Record<string, string | undefined>): Promise<Answer> =>
    perRequest(desk.url).request('tools/call', { name: 'search', arguments: given }, { headers });

  const read = (uri: string, name: string): Promise<Answer> =>
    perRequest(desk.url).request('resources/read', { uri }, { headers: { 'mcp-name': name } });

  const verdict = ({ status, error }: Answer) => [status, error?.code];

  it.each([
    ['desk://files/a', 'desk://files/a'],
    ['desk://files/a', encode('desk://files/a')],
    ['desk://files/größe', encode('desk://files/größe')],
    ['desk://files/世界', encode('desk://files/世界')],
  ])('match %s in Mcp-Name given as %s (VER-04)', async (uri, name) => {
    expect(verdict(await read(uri, name))).toEqual([200, undefined]);
  });

  it.each([
    ['desk://files/a', encode('desk://files/b')],
    ['desk://files/a', '=?base64?ZGVzazovL2ZpbGVzL2E?='],
    ['desk://files/a', '=?base64?!!!!?='],
    ['desk://files/a', `=?BASE64?${Buffer.from('desk://files/a').toString('base64')}?=`],
    ['desk://files/a', `${encode('desk://files/a')}x`],
  ])('do not match %s in Mcp-Name given as %s: -32020 (VER-04)', async (uri, name) => {
    expect(verdict(await read(uri, name))).toEqual([400, -32020]);
  });

  it.each<[JsonObject, Record<string, string>]>([
    [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west1' }],
    [{ region: 'us-west1' }, { 'mcp-param-region': encode('us-west1') }],
    [{ region: 'Hello, 世界' }, { 'mcp-param-region': '=?base64?SGVsbG8sIOS4lueVjA==?=' }],
    [{ region: ' padded ' }, { 'mcp-param-region': '=?base64?IHBhZGRlZCA=?=' }],
    [{ region: 'line1\nline2' }, { 'mcp-param-region': '=?base64?bGluZTEKbGluZTI=?=' }],
    [{ region: '=?base64?literal?=' }, { 'mcp-param-region': '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=' }],
    [{ region: 'SGVsbG8=?=' }, { 'mcp-param-region': 'SGVsbG8=?=' }],
    [{ region: '=?base64?SGVsbG8=' }, { 'mcp-param-region': '=?base64?SGVsbG8=' }],
    [{ region: '' }, { 'mcp-param-region': '' }],
    [{ limit: 42 }, { 'mcp-param-limit': '42' }],
    [{ limit: 42 }, { 'mcp-param-limit': '42.0' }],
    [{ limit: -7 }, { 'mcp-param-limit': '-7' }],
    [{ open: true }, { 'mcp-param-open': 'true' }],
    [{ open: false }, { 'mcp-param-open': 'false' }],
    [{ where: { floor: 'second' } }, { 'mcp-param-floor': 'second' }],
    [
      { region: 'eu', limit: 1 },
      { 'mcp-param-region': 'eu', 'mcp-param-limit': '1' },
    ],
    [{ plain: 'x' }, {}],
    [{ plain: 'x' }, { 'mcp-param-plain': 'ignored', 'mcp-param-other': 'ignored' }],
    [{}, {}],
    [{ where: {} }, {}],
  ])('match the arguments %j as %j (VER-04)', async (given, headers) => {
    const answer = await search(given, headers);
    expect(verdict(answer)).toEqual([200, undefined]);
    expect(answer.result?.['isError']).not.toBe(true);
  });

  it('are not expected where the argument is null: it is for the schema to judge (VER-04)', async () => {
    const answer = await search({ region: null }, {});
    expect(verdict(answer)).toEqual([200, undefined]);
    expect(answer.result?.['isError']).toBe(true);
  });

  it.each<[JsonObject, Record<string, string>]>([
    [{ region: 'us-west1' }, {}],
    [{ region: 'us-west1' }, { 'mcp-param-region': 'us-west2' }],
    [{ region: 'us-west1' }, { 'mcp-param-region': 'US-WEST1' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8_?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': '=?BASE64?SGVsbG8=?=' }],
    [{ region: 'Hello' }, { 'mcp-param-region': 'SGVsbG8=' }],
    [{ limit: 42 }, {}],
    [{ limit: 42 }, { 'mcp-param-limit': '43' }],
    [{ limit: 42 }, { 'mcp-param-limit': 'many' }],
    [{ limit: 0 }, { 'mcp-param-limit': '' }],
    [{ open: true }, { 'mcp-param-open': 'True' }],
    [{ open: false }, {}],
    [{ where: { floor: 'second' } }, {}],
    [{ where: { floor: 'second' } }, { 'mcp-param-floor': 'first' }],
    [{ region: 'eu', limit: 1 }, { 'mcp-param-region': 'eu' }],
    [{}, { 'mcp-param-region': 'eu' }],
    [{}, { 'mcp-param-region': '' }],
    [{ plain: 'eu' }, { 'mcp-param-region': 'eu' }],
    [{ region: null }, { 'mcp-param-region': 'null' }],
    [{ region: { name: 'eu' } }, { 'mcp-param-region': '[object Object]' }],
    [{ region: ['eu'] }, { 'mcp-param-region': 'eu' }],
    [{ where: {} }, { 'mcp-param-floor': 'second' }],
    [{ floor: 'second' }, { 'mcp-param-floor': 'second' }],
    [{ where: 'second' }, { 'mcp-param-floor': 'second' }],
  ])('do not match the arguments %j as %j: -32020 (VER-04)', async (given, headers) => {
    expect(verdict(await search(given, headers))).toEqual([400, -32020]);
  });

  it('are asked of no session (VER-04)', async () => {
    const session = await initialize(desk.url);
    const params = { name: 'search', arguments: { region: 'eu' } };
    const answer = await session.request('tools/call', params, {
      'mcp-param-region': 'us',
      'mcp-name': 'other',
    });
    expect(answer.result?.['content']).toEqual([{ type: 'text', text: '{"region":"eu"}' }]);
  });

  it('are told to clients in the input schema (VER-04)', async () => {
    const { result } = await perRequest(desk.url).request('tools/list');
    expect(result?.['tools']).toMatchObject([
      { inputSchema: { properties: { region: { 'x-mcp-header': 'Region' } } } },
    ]);
  });
});
