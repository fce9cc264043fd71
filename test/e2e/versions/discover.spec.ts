import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';

const SERVER_INFO = { name: 'desk', version: '3.1.4', title: 'The desk' };

describe.each(ADAPTERS)('server/discover on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: {
        serverInfo: SERVER_INFO,
        instructions: 'Search before you open a ticket',
        capabilities: { tools: true, resources: true },
      },
    });
  });

  afterAll(() => desk.close());

  it('says which versions, what and who is served (VER-04)', async () => {
    const { result, status } = await perRequest(desk.url).request('server/discover');
    expect(status).toBe(200);
    expect(result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        logging: {},
      },
      instructions: 'Search before you open a ticket',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [metaKey('serverInfo')]: SERVER_INFO },
    });
  });

  it('names every version that a refusal of another version names (VER-04)', async () => {
    const discovery = await perRequest(desk.url).request('server/discover');
    const refusal = await perRequest(desk.url).request(
      'server/discover',
      {},
      {
        meta: { [metaKey('protocolVersion')]: '2031-01-01' },
        headers: { 'mcp-protocol-version': '2031-01-01' },
      },
    );
    const supported = entriesOf(refusal.error?.data as JsonObject, 'supported');
    expect(discovery.result?.['supportedVersions']).toEqual(expect.arrayContaining([...supported]));
    expect(supported.length).toBeGreaterThan(0);
  });

  it('opens no session (VER-04)', async () => {
    const answer = await perRequest(desk.url).request('server/discover');
    expect(answer.headers).not.toHaveProperty('mcp-session-id');
  });
});
