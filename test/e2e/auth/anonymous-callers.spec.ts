import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog, McpNotifier } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { initialize, perRequest, post } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { openHttp, sendHttp } from '../../support/clients/raw-http.js';
import { within } from '../../support/until.js';
import { AUTH, DeskHandlers, HelpHandlers, REPORTS, ReportsExtension, told } from './help-desk.app.js';

const { ada, bob, eve } = CALLERS;

describe.each(ADAPTERS)('Callers without a token on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, { auth: AUTH, providers: [HelpHandlers, DeskHandlers, ReportsExtension] });
  });

  afterAll(() => desk.close());

  it('hear of changes of what is public, on the stateless wire (STEP-06)', async () => {
    const client = perRequest(desk.url);
    for (const notifications of [{ toolsListChanged: true }, { resourceSubscriptions: ['help://rules'] }]) {
      await (await client.listen(notifications)).close();
    }
    const refused = client.start('subscriptions/listen', {
      notifications: { resourceSubscriptions: ['help://rules', 'desk://tickets'] },
    });
    expect(await refused.answer()).toMatchObject({ status: 401 });
  });

  it('have a session until somebody takes it over by a token (HTTP-03, STEP-06)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    expect((await session.request('tools/call', { name: 'hours' })).status).toBe(200);
    expect((await session.request('tools/call', { name: 'list' }, authorize(bob.token))).status).toBe(200);
    const get = { method: 'GET', headers: { accept: 'text/event-stream', ...session.headers } };
    for (const token of [undefined, ada.token]) {
      expect((await session.request('ping', {}, authorize(token))).status).toBe(404);
      const opened = await openHttp(desk.url, { ...get, headers: { ...get.headers, ...authorize(token) } });
      expect(opened.statusCode).toBe(404);
      opened.destroy();
      expect((await session.delete(authorize(token))).status).toBe(404);
    }
    expect((await session.request('ping', {}, authorize(bob.token))).status).toBe(200);
    expect((await session.delete(authorize(bob.token))).status).toBe(204);
    await stream.ended;
  });

  it('hear no more of a session that somebody took over (HTTP-03)', async () => {
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    expect((await session.request('ping', {}, authorize(bob.token))).status).toBe(200);
    desk.app.get(McpNotifier).log('error', 'for bob');
    await within(stream.ended, 'the end of the stream');
    const headers = { accept: 'text/event-stream', ...session.headers, ...authorize(bob.token) };
    const opened = new EventStream(await openHttp(desk.url, { headers }));
    expect((await opened.nextNotification('notifications/message')).params).toMatchObject({
      data: 'for bob',
    });
    await opened.close();
  });

  it('tell extensions nothing (STEP-06, EXT-02)', async () => {
    const session = await initialize(desk.url, { capabilities: { extensions: { [REPORTS]: {} } } });
    told.length = 0;
    const tell = (reader: string, token?: string) =>
      session.post(
        { jsonrpc: '2.0', method: 'notifications/reports/read', params: { reader } },
        authorize(token),
      );
    expect((await tell('anybody')).status).toBe(202);
    expect((await tell('bob', bob.token)).status).toBe(202);
    expect(told).toEqual(['bob']);
  });

  it('end a session of their own, and none of others (HTTP-05)', async () => {
    const own = await initialize(desk.url);
    expect((await own.delete()).status).toBe(204);
    const other = await initialize(desk.url, { headers: authorize(ada.token) });
    const { 'mcp-session-id': id } = other.headers;
    expect((await sendHttp(desk.url, { method: 'DELETE', headers: { 'mcp-session-id': id } })).status).toBe(
      404,
    );
    expect((await other.request('ping')).status).toBe(200);
  });

  it('are let in as long as there is something for them (STEP-06, MOD-06)', async () => {
    const closing = await bootDesk(adapter, { auth: AUTH });
    const list = () => post(closing.url, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect((await list()).status).toBe(401);
    const { tools } = closing.app.get(McpCatalog);
    tools.add({ name: 'hours', isPublic: true }, () => '9 to 17');
    expect((await perRequest(closing.url).request('tools/call', { name: 'hours' })).status).toBe(200);
    tools.remove('hours');
    expect((await list()).status).toBe(401);
    expect(() => tools.add({ name: 'both', isPublic: true, requiredScopes: ['a'] }, () => '')).toThrow(
      /public/,
    );
    await closing.close();
  });

  it('need no scopes that a server requires of tokens (AUTH-08, STEP-06)', async () => {
    const strict = await bootDesk(adapter, {
      auth: { ...AUTH, requiredScopes: ['desk:read'] },
      providers: [HelpHandlers],
    });
    const call = (token?: string) =>
      perRequest(strict.url, { headers: authorize(token) }).request('tools/call', { name: 'hours' });
    expect([(await call()).status, (await call(eve.token)).status, (await call(bob.token)).status]).toEqual([
      200, 403, 200,
    ]);
    await strict.close();
  });
});
