import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { perRequest, post } from '../../support/clients/json-rpc.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  METADATA,
  PUBLISHED,
  type DeskParts,
} from '../../support/applications/protected-desk.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';

const BEARER = { bearer: Object.values(CALLERS) };
const DISCOVER = { jsonrpc: '2.0', id: 1, method: 'ping' };
const UNAUTHORIZED = '{"jsonrpc":"2.0","error":{"code":-32600,"message":"Unauthorized"}}';

@Injectable()
class ScopedTools {
  @Tool({ description: 'Closes a ticket' })
  @RequireScope('desk:write', 'desk:close')
  close(): string {
    return 'closed';
  }

  @Tool({ description: 'Closes all tickets' })
  @RequireScope('desk:admin', 'desk:write')
  closeAll(): string {
    return 'all closed';
  }
}

const MANY = Array.from({ length: 1000 }, (_, index) => `project:number-${index}:read`);

@Injectable()
class ManyScopesTool {
  @Tool({ description: 'Reads all projects' })
  @RequireScope(...MANY)
  readAll(): string {
    return 'all of them';
  }
}

/** Asks in every way in which the endpoint can be asked. */
function requestAll(url: string, token?: string): Promise<RawResponse[]> {
  const headers = authorize(token);
  return Promise.all([
    post(url, DISCOVER, headers),
    sendHttp(url, { headers: { accept: 'text/event-stream', ...headers } }),
    sendHttp(url, { method: 'DELETE', headers }),
  ]);
}

describe.each(ADAPTERS)('The challenge of a server on %s', (adapter) => {
  const running: RunningApp[] = [];

  afterAll(() => Promise.all(running.map((app) => app.close())));

  async function boot(name: AdapterName, parts: DeskParts): Promise<string> {
    const app = await bootDesk(name, parts);
    running.push(app);
    return app.url;
  }

  it('fits into a header where handlers require a thousand scopes, which the metadata names (AUTH-14)', async () => {
    const url = await boot(adapter, { auth: { ...BEARER, ...PUBLISHED }, providers: [ManyScopesTool] });
    const { status, headers } = await perRequest(url).request('tools/list');
    expect([status, headers['www-authenticate']]).toEqual([401, `Bearer resource_metadata="${METADATA}"`]);
    const { json } = await sendHttp(new URL(new URL(METADATA).pathname, url).href);
    expect(json).toMatchObject({ scopes_supported: MANY });
  });

  it.each<[string, DeskParts, string, string]>([
    ['is plain where it has no metadata', { auth: BEARER }, 'Bearer', 'Bearer error="invalid_token"'],
    [
      'is plain without metadata, though scopes are known',
      { auth: { ...BEARER, requiredScopes: ['desk:read'] }, providers: [ScopedTools] },
      'Bearer',
      'Bearer error="invalid_token"',
    ],
    [
      'names its metadata',
      { auth: { ...BEARER, ...PUBLISHED } },
      `Bearer resource_metadata="${METADATA}"`,
      `Bearer resource_metadata="${METADATA}", error="invalid_token"`,
    ],
    [
      'names the metadata and the scopes that it requires',
      { auth: { ...BEARER, ...PUBLISHED, requiredScopes: ['desk:read', 'desk:use'] } },
      `Bearer resource_metadata="${METADATA}", scope="desk:read desk:use"`,
      `Bearer resource_metadata="${METADATA}", scope="desk:read desk:use", error="invalid_token"`,
    ],
    [
      'names the scopes that it requires alone, where handlers require others',
      { auth: { ...BEARER, ...PUBLISHED, requiredScopes: ['desk:read'] }, providers: [ScopedTools] },
      `Bearer resource_metadata="${METADATA}", scope="desk:read"`,
      `Bearer resource_metadata="${METADATA}", scope="desk:read", error="invalid_token"`,
    ],
    [
      'names the scopes of its handlers, each once (STEP-06)',
      { auth: { ...BEARER, ...PUBLISHED }, providers: [ScopedTools] },
      `Bearer resource_metadata="${METADATA}", scope="desk:write desk:close desk:admin"`,
      `Bearer resource_metadata="${METADATA}", scope="desk:write desk:close desk:admin", error="invalid_token"`,
    ],
    [
      'names the scopes that its metadata shows, where nothing requires any',
      { auth: { ...BEARER, ...PUBLISHED, scopesSupported: ['openid', 'desk:read', 'offline_access'] } },
      `Bearer resource_metadata="${METADATA}", scope="desk:read"`,
      `Bearer resource_metadata="${METADATA}", scope="desk:read", error="invalid_token"`,
    ],
    [
      'names the metadata where they are, if that is elsewhere',
      { auth: { ...BEARER, ...PUBLISHED, resourceMetadataUrl: 'https://meta.example.com/desk' } },
      'Bearer resource_metadata="https://meta.example.com/desk"',
      'Bearer resource_metadata="https://meta.example.com/desk", error="invalid_token"',
    ],
  ])('%s (AUTH-14)', async (_, parts, missing, invalid) => {
    const url = await boot(adapter, parts);
    for (const [token, challenge] of [
      [undefined, missing],
      ['not-a-token-of-the-desk', invalid],
    ]) {
      for (const { status, headers, text } of await requestAll(url, token)) {
        expect([status, headers['www-authenticate'], text]).toEqual([401, challenge, UNAUTHORIZED]);
        expect(headers['content-type']).toBe('application/json');
      }
    }
  });

  it('says nothing of what was wrong with a token (AUTH-14, AUTH-19)', async () => {
    const url = await boot(adapter, { auth: { ...BEARER, ...PUBLISHED } });
    const tokens = ['short', 'x'.repeat(2000), `${CALLERS.ada.token}=`, 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'];
    const answers = await Promise.all(tokens.map((token) => post(url, DISCOVER, authorize(token))));
    const seen = answers.map(({ status, text, headers }) =>
      JSON.stringify([status, text, { ...headers, date: undefined }]),
    );
    expect(new Set(seen).size).toBe(1);
  });
});

describe.each(ADAPTERS)('A server that requires scopes on %s', (adapter) => {
  let desk: RunningApp;
  const challenge =
    'Bearer error="insufficient_scope", scope="desk:read desk:write", ' +
    `resource_metadata="${METADATA}", error_description="The token lacks a required scope"`;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...BEARER, ...PUBLISHED, requiredScopes: ['desk:read', 'desk:write'] },
      providers: [ScopedTools],
    });
  });

  afterAll(() => desk.close());

  it.each([
    ['some of them', CALLERS.bob.token],
    ['none of them', CALLERS.eve.token],
  ])('answers a token that has %s with 403, whatever is asked (AUTH-08)', async (_, token) => {
    for (const { status, headers, json } of await requestAll(desk.url, token)) {
      expect([status, headers['www-authenticate']]).toEqual([403, challenge]);
      expect(json).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'insufficient_scope: desk:read desk:write' },
      });
    }
  });

  it('serves a token that has all of them (AUTH-08)', async () => {
    const client = perRequest(desk.url, { headers: authorize(CALLERS.ada.token) });
    expect(await client.request('tools/list')).toMatchObject({ status: 200 });
  });

  it('names them first where a handler requires more (AUTH-08, STEP-01)', async () => {
    const client = perRequest(desk.url, { headers: authorize(CALLERS.ada.token) });
    const answer = await client.request('tools/call', { name: 'closeAll' });
    expect(answer.status).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('scope="desk:read desk:write desk:admin"');
    expect(answer.result?.['content']).toEqual([
      { type: 'text', text: 'insufficient_scope: desk:read desk:write desk:admin' },
    ]);
  });
});
