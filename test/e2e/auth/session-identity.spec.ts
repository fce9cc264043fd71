import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type AuthOptions, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { TestIssuer } from '../../support/authorization/issuer.js';
import { initialize, perRequest, post, SessionClient } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { authorize, bootDesk, RESOURCE, textOf } from '../../support/applications/protected-desk.js';
import { sendHttp, type RawResponse } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const GONE = {
  jsonrpc: '2.0',
  error: { code: -32600, message: 'Session not found: send "initialize" without "Mcp-Session-Id"' },
};

const FIXED = {
  first: 'fixed-token-of-nobody-1',
  second: 'fixed-token-of-nobody-2',
  ada: 'fixed-token-of-ada-123',
  adaToo: 'fixed-token-of-ada-456',
};

@Injectable()
class CallerTools {
  @Tool({ description: 'Tells who calls' })
  whoami(_arguments: object, { auth, session }: McpContext): string {
    return `${auth.claims?.sub} ${auth.claims?.scopes.join()} ${session?.claims?.scopes.join()}`;
  }

  @Tool({ description: 'Asks who is there' })
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const schema = { type: 'object', properties: { name: { type: 'string' } } } as const;
    const { action } = await context.elicit({ key: 'name', message: 'Who?', schema });
    return action;
  }
}

describe.each(ADAPTERS)('A session of a caller on %s', (adapter) => {
  let north: TestIssuer;
  let south: TestIssuer;
  let desk: RunningApp;
  const running: RunningApp[] = [];

  beforeAll(async () => {
    [north, south] = [await TestIssuer.start(), await TestIssuer.start()];
    desk = await boot();
  });

  afterAll(async () => {
    await Promise.all(running.map((app) => app.close()));
    await Promise.all([north.stop(), south.stop()]);
  });

  async function boot(options: Partial<McpOptions> = {}): Promise<RunningApp> {
    const auth: AuthOptions = {
      resourceUri: RESOURCE,
      authorizationServers: [north.url, south.url],
      jwt: {},
      bearer: [
        FIXED.first,
        FIXED.second,
        { token: FIXED.ada, subject: 'ada' },
        { token: FIXED.adaToo, subject: 'ada', scopes: ['desk:read'] },
      ],
      validator: { validate: (token) => (token === 'custom-ada' ? { sub: 'ada' } : undefined) },
    };
    const app = await bootDesk(adapter, { auth, options, providers: [CallerTools] });
    running.push(app);
    return app;
  }

  const open = (token: string, url = desk.url, version = '2025-11-25'): Promise<SessionClient> =>
    initialize(url, { version, headers: authorize(token), capabilities: { elicitation: {} } });

  const ping = async (session: SessionClient, token: string): Promise<number> =>
    (await session.request('ping', {}, authorize(token))).status;

  /** Uses a session in every way in which it can be used. */
  function useAll({ url, headers: own }: SessionClient, token: string): Promise<RawResponse[]> {
    const headers = { ...own, ...authorize(token) };
    const get = { accept: 'text/event-stream', ...headers };
    return Promise.all([
      post(url, PING, headers),
      post(url, { ...PING, method: 'tools/call', params: { name: 'whoami' } }, headers),
      post(url, { ...PING, method: 'initialize', params: {} }, headers),
      post(url, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, headers),
      post(url, { jsonrpc: '2.0', id: 'unasked', result: {} }, headers),
      post(url, [PING], headers),
      sendHttp(url, { headers: get }),
      sendHttp(url, { headers: { ...get, 'last-event-id': '0:0' } }),
      sendHttp(url, { method: 'DELETE', headers }),
    ]);
  }

  it('is not found for a token of another subject, however it is used (HTTP-03, HTTP-05)', async () => {
    for (const version of ['2025-03-26', '2025-11-25']) {
      const session = await open(await north.token({ sub: 'ada' }), desk.url, version);
      const stream = await session.openStream();
      const answers = await useAll(session, await north.token({ sub: 'bob' }));
      for (const { status, json } of answers) {
        expect([status, { ...(json as object), id: undefined }]).toEqual([404, { ...GONE, id: undefined }]);
      }
      expect((await session.request('ping')).status).toBe(200);
      expect(stream.isEnded).toBe(false);
      await stream.close();
    }
  });

  it('goes on with a refreshed token of its subject, and what that allows (HTTP-03, AUTH-10)', async () => {
    const session = await open(await north.token({ sub: 'ada', scope: 'desk:read', client_id: 'one' }));
    const refreshed = await north.token({ sub: 'ada', scope: 'desk:write', client_id: 'two', jti: 'x' });
    const answer = await session.request('tools/call', { name: 'whoami' }, authorize(refreshed));
    expect(textOf(answer.result ?? {})).toBe('ada desk:write desk:write');
    const stream = await new SessionClient(session.url, session.handshake, authorize(refreshed)).openStream();
    await stream.close();
    expect((await session.delete(authorize(refreshed))).status).toBe(204);
    expect((await session.request('ping')).status).toBe(404);
  });

  it('takes up its streams with a refreshed token, and with no other (HTTP-03, HTTP-04)', async () => {
    const session = await open(await north.token({ sub: 'ada' }));
    const lost = await session.openStream();
    const { lastEventId } = await within(
      lost.next().then(() => lost),
      'the first event',
    );
    await lost.close();
    desk.app.get(McpNotifier).log('error', 'missed');
    const as = async (sub: string) =>
      new SessionClient(session.url, session.handshake, authorize(await north.token({ sub, jti: 'later' })));
    await expect((await as('bob')).openStream({ lastEventId })).rejects.toThrow('404');
    const resumed = await (await as('ada')).openStream({ lastEventId });
    expect((await resumed.nextNotification('notifications/message')).params?.['data']).toBe('missed');
    await resumed.close();
  });

  it('is not found for the same subject of another issuer (HTTP-03)', async () => {
    const session = await open(await north.token({ sub: 'ada' }));
    expect(await ping(session, await south.token({ sub: 'ada' }))).toBe(404);
    expect(await ping(session, await north.token({ sub: 'ada', jti: 'y' }))).toBe(200);
  });

  it('is not found for the same subject that another kind of token names (HTTP-03, AUTH-18)', async () => {
    const session = await open(await north.token({ sub: 'ada' }));
    const fixed = await open(FIXED.ada);
    for (const token of [FIXED.ada, 'custom-ada']) expect(await ping(session, token)).toBe(404);
    expect(await ping(fixed, 'custom-ada')).toBe(404);
    expect(await ping(fixed, FIXED.adaToo)).toBe(200);
  });

  it('is of its token where that names no subject (HTTP-03, AUTH-03)', async () => {
    const session = await open(FIXED.first);
    expect(await ping(session, FIXED.second)).toBe(404);
    expect(await ping(session, FIXED.ada)).toBe(404);
    expect(await ping(session, FIXED.first)).toBe(200);
  });

  it('is of its token where that names a client alone: many may use the same (HTTP-03)', async () => {
    const without = (jti: string) => north.token({ sub: undefined, client_id: 'robot', jti });
    const [token, other] = [await without('1'), await without('2')];
    const session = await open(token);
    expect(await ping(session, other)).toBe(404);
    expect(await ping(session, await north.token({ sub: 'robot' }))).toBe(404);
    expect(await ping(session, token)).toBe(200);
  });

  it('has an id that tells nobody whose it is (HTTP-03)', async () => {
    const adopting = await boot({
      secret: 'a secret of thirty-two characters!',
      sessions: { recover: true },
    });
    const token = await north.token({ sub: 'subject-of-ada' });
    for (const url of [desk.url, adopting.url]) {
      const { id } = await open(token, url);
      const read = id.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      expect(`${id} ${read.join(' ')}`).not.toMatch(/subject-of-ada|127\.0\.0\.1|desk-app/);
      expect(id).not.toContain(token.slice(-20));
    }
  });

  it('keeps its owner in the process that adopts it (HTTP-03, SESS-05)', async () => {
    const options = { secret: 'a secret of thirty-two characters!', sessions: { recover: true } };
    const [before, after] = [await boot(options), await boot(options)];
    const session = await open(await north.token({ sub: 'ada' }), before.url);
    const moved = new SessionClient(after.url, session.handshake, {});
    for (const { status } of await useAll(moved, await north.token({ sub: 'bob' }))) expect(status).toBe(404);
    expect((await moved.request('ping')).status).toBe(401);
    expect(await ping(moved, await north.token({ sub: 'ada', jti: 'z' }))).toBe(200);
  });

  it('leaves room for others where one caller has as many as it may (HTTP-03)', async () => {
    const small = await boot({ sessions: { maxSessionsPerCaller: 2 } });
    const [ada, bob] = [await north.token({ sub: 'ada' }), await north.token({ sub: 'bob' })];
    const [first, second] = [
      await open(ada, small.url),
      await open(await north.token({ sub: 'ada', jti: '2' }), small.url),
    ];
    const streams = [await first.openStream(), await second.openStream()];
    const params: JsonObject = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const attempt = (token: string) =>
      post(small.url, { ...PING, method: 'initialize', params }, authorize(token));
    const refused = await attempt(ada);
    expect([refused.status, refused.headers['retry-after'], refused.headers['mcp-session-id']]).toEqual([
      429,
      '5',
      undefined,
    ]);
    expect((await attempt(bob)).status).toBe(200);
    expect((await attempt(await south.token({ sub: 'ada' }))).status).toBe(200);
    expect((await first.request('ping')).status).toBe(200);
    await first.delete();
    expect((await attempt(ada)).status).toBe(200);
    await Promise.all(streams.map((stream) => stream.close()));
  });

  it('makes room for the next of the same caller, if it is idle (FAIR-03)', async () => {
    const small = await boot({ sessions: { maxSessionsPerCaller: 3 } });
    const [ada, bob] = [await north.token({ sub: 'ada' }), await north.token({ sub: 'bob' })];
    const other = await open(bob, small.url);
    const kept = await open(ada, small.url);
    const stream = await kept.openStream();
    for (let count = 0; count < 10; count += 1) {
      const session = await open(ada, small.url);
      expect((await session.request('tools/list')).status).toBe(200);
    }
    expect((await other.request('ping')).status).toBe(200);
    expect((await kept.request('ping')).status).toBe(200);
    await stream.close();
  });

  it('ends by DELETE with its token, which closes its streams, and not without (HTTP-05)', async () => {
    const session = await open(await north.token({ sub: 'ada' }));
    const stream = await session.openStream();
    const { 'mcp-session-id': id } = session.headers;
    const without = await sendHttp(desk.url, { method: 'DELETE', headers: { 'mcp-session-id': id } });
    expect(without.status).toBe(401);
    expect((await session.delete(authorize('not-a-token'))).status).toBe(401);
    expect(stream.isEnded).toBe(false);
    expect((await session.delete()).status).toBe(204);
    await within(stream.ended, 'the end of the stream');
    expect((await session.request('ping')).status).toBe(404);
    expect((await session.delete()).status).toBe(404);
  });

  it('has its counterpart on the stateless wire: a state is of its caller (REV-02, HTTP-03)', async () => {
    const call = async (token: string, round: JsonObject = {}) => {
      const client = perRequest(desk.url, { headers: authorize(token), capabilities: { elicitation: {} } });
      return client.request('tools/call', { name: 'ask', arguments: {}, ...round });
    };
    const { result } = await call(await north.token({ sub: 'ada' }));
    const round = {
      requestState: result?.['requestState'],
      inputResponses: { name: { action: 'accept', content: { name: 'Ada' } } },
    };
    for (const token of [await north.token({ sub: 'bob' }), await south.token({ sub: 'ada' }), FIXED.ada]) {
      expect((await call(token, round)).error).toMatchObject({ code: -32602 });
    }
    expect(textOf((await call(await north.token({ sub: 'ada', jti: '9' }), round)).result ?? {})).toBe(
      'accept',
    );
  });
});
