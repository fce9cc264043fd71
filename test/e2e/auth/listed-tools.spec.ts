import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Public, RequireScope, Tool, type AuthOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

const READER = 'the-token-of-somebody-who-reads';
const WRITER = 'the-token-of-somebody-who-writes';

const AUTH: AuthOptions = {
  resourceUri: 'https://desk.example.com/mcp',
  authorizationServers: ['https://login.example.com'],
  requiredScopes: ['desk:read'],
  bearer: [
    { token: READER, subject: 'ada', scopes: ['desk:read'] },
    { token: WRITER, subject: 'grace', scopes: ['desk:read', 'desk:write', 'mail:send'] },
  ],
};

@Injectable()
class ListedTools {
  @Tool()
  list() {
    return 'tickets';
  }

  @Tool({ _meta: { 'com.example/shelf': 2 } })
  @RequireScope('desk:write')
  close() {
    return 'closed';
  }

  @Tool()
  @Public()
  hours() {
    return '9 to 17';
  }
}

interface ListedTool {
  readonly name: string;
  readonly securitySchemes?: unknown;
  readonly _meta?: { readonly [name: string]: unknown };
}

function startDesk(auth: AuthOptions, pageSize = 1000): Promise<RunningApp> {
  const cache = { tools: { ttlMs: 60_000, scope: 'public' } } as const;
  return bootServer({ options: { auth, cache, pageSize }, providers: [ListedTools] });
}

const bearer = (token?: string) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

async function listTools(desk: RunningApp, token?: string, params?: { cursor?: unknown }) {
  const { result } = await perRequest(desk.url, { headers: bearer(token) }).request('tools/list', params);
  return result as { tools: ListedTool[]; cacheScope: string; nextCursor?: string };
}

const namesOf = ({ tools }: { tools: ListedTool[] }) => tools.map(({ name }) => name);

describe('The list of tools of a server that filters its lists', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await startDesk({ ...AUTH, filterLists: true });
  });

  afterAll(() => desk.close());

  it.each([
    ['of a reader', READER, ['list', 'hours']],
    ['of a writer', WRITER, ['list', 'close', 'hours']],
    ['of a caller without a token', undefined, ['hours']],
  ])('shows what the scopes %s allow (STEP-05)', async (_who, token, names) => {
    expect(namesOf(await listTools(desk, token))).toEqual(names);
  });

  it('is the same however often callers take turns (STEP-05)', async () => {
    for (const [token, count] of [
      [WRITER, 3],
      [READER, 2],
      [WRITER, 3],
      [undefined, 1],
      [READER, 2],
    ] as const) {
      expect((await listTools(desk, token)).tools).toHaveLength(count);
    }
  });

  it('is private to its caller whatever the cache hint says (STEP-05)', async () => {
    expect((await listTools(desk, READER)).cacheScope).toBe('private');
  });

  it('is filtered in a session too (STEP-05)', async () => {
    const session = await initialize(desk.url, { headers: bearer(READER) });
    const { result } = await session.request('tools/list');
    expect(namesOf(result as { tools: ListedTool[] })).toEqual(['list', 'hours']);
  });

  it('is followed page by page without gaps (STEP-05)', async () => {
    const small = await startDesk({ ...AUTH, filterLists: true }, 1);
    try {
      const first = await listTools(small, READER);
      const second = await listTools(small, READER, { cursor: first.nextCursor });
      expect([...namesOf(first), ...namesOf(second)]).toEqual(['list', 'hours']);
      expect(second.nextCursor).toBeUndefined();
    } finally {
      await small.close();
    }
  });
});

describe('The list of tools of a protected server', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await startDesk(AUTH);
  });

  afterAll(() => desk.close());

  it('shows everything to everybody and keeps its cache hint unless filtering is asked for (STEP-05)', async () => {
    const list = await listTools(desk, READER);
    expect(namesOf(list)).toEqual(['list', 'close', 'hours']);
    expect(list.cacheScope).toBe('public');
  });

  it('says how a tool is to be called where that differs from the server (STEP-06)', async () => {
    const { tools } = await listTools(desk, READER);
    expect(tools.map(({ securitySchemes }) => securitySchemes)).toEqual([
      undefined,
      [{ type: 'oauth2', scopes: ['desk:read', 'desk:write'] }],
      [{ type: 'noauth' }],
    ]);
  });

  it('says so in "_meta" too, beside what the tool has there (STEP-06)', async () => {
    const { tools } = await listTools(desk, READER);
    expect(tools[1]?._meta).toEqual({
      'com.example/shelf': 2,
      securitySchemes: [{ type: 'oauth2', scopes: ['desk:read', 'desk:write'] }],
    });
  });

  it('says nothing of it in revisions without "_meta" in lists (STEP-06)', async () => {
    const session = await initialize(desk.url, { version: '2024-11-05', headers: bearer(READER) });
    const { result } = await session.request('tools/list');
    expect(JSON.stringify(result)).not.toContain('securitySchemes');
  });

  it('says nothing of it where no authorization server could give a token (STEP-06)', async () => {
    const { bearer: tokens } = AUTH;
    const closed = await startDesk({ ...(tokens && { bearer: tokens }) });
    try {
      const { tools } = await listTools(closed, READER);
      expect(tools.map(({ securitySchemes }) => securitySchemes)).toEqual([undefined, undefined, undefined]);
    } finally {
      await closed.close();
    }
  });
});
