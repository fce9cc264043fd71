import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Public, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';
import { authorize, bootDesk, CALLERS, textOf } from '../../support/applications/protected-desk.js';
import { EventStream } from '../../support/clients/event-stream.js';
import { initialize, SessionClient } from '../../support/clients/json-rpc.js';
import { openHttp } from '../../support/clients/raw-http.js';

const GATE = { type: 'object', properties: { gate: { type: 'string' } }, required: ['gate'] } as const;
const BOB = authorize(CALLERS.bob.token);
const ADA = authorize(CALLERS.ada.token);

@Injectable()
class PublicTools {
  readonly gates = new Gates();

  @Public()
  @Tool({ description: 'Reports and waits', inputSchema: GATE })
  async wait({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    await this.gates.at(gate).pass(context.signal);
    return 'done';
  }

  @Public()
  @Tool({ description: 'Says whose call and whose session it is' })
  whose(_: object, { auth, session }: McpContext): string {
    return `${auth.claims?.sub} ${session?.claims?.sub}`;
  }
}

describe.each(ADAPTERS)('A session that was opened without a token, on %s', (adapter) => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions> = {}): Promise<void> {
    desk = await bootDesk(adapter, { options, providers: [PublicTools] });
  }

  const takeOver = async (session: SessionClient, headers: object) =>
    (await session.request('ping', {}, { ...headers })).status;

  /** Reads a session of Bob: it is not idle then, and makes no room for another. */
  const keepBusy = ({ url, handshake }: SessionClient) =>
    new SessionClient(url, handshake, { ...BOB }).openStream();

  const attempt = (headers: object) =>
    initialize(desk.url, { headers: { ...headers } }).then(
      (session) => session,
      () => undefined,
    );

  it('sends what is for its owner on no stream of a call from before (HTTP-03) (NOTE-03)', async () => {
    await boot();
    const session = await initialize(desk.url);
    const params = { name: 'wait', arguments: { gate: 'before' }, _meta: { progressToken: 1 } };
    const call = await session.start('tools/call', params).stream();
    await call.nextNotification('notifications/progress');
    expect(await takeOver(session, BOB)).toBe(200);
    desk.app.get(McpNotifier).log('error', 'for bob');
    const headers = { accept: 'text/event-stream', ...session.headers, ...BOB };
    const standing = new EventStream(await openHttp(desk.url, { headers }));
    const heard = await standing.nextNotification('notifications/message');
    expect(heard.params).toMatchObject({ data: 'for bob' });
    desk.app.get(PublicTools).gates.at('before').open();
    await call.ended;
    expect(call.messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
    await standing.close();
  });

  it('counts among the sessions of whoever takes it over, until it ends (HTTP-03, HTTP-10)', async () => {
    await boot({ sessions: { maxSessionsPerCaller: 1 } });
    const session = await initialize(desk.url);
    expect(await takeOver(session, BOB)).toBe(200);
    await keepBusy(session);
    expect(await attempt(BOB)).toBeUndefined();
    expect(await attempt(ADA)).toBeInstanceOf(SessionClient);
    expect((await session.delete(BOB)).status).toBe(204);
    expect(await attempt(BOB)).toBeInstanceOf(SessionClient);
  });

  it('makes room for the next session of whoever took it over, if it is idle (HTTP-03, HTTP-10)', async () => {
    await boot({ sessions: { maxSessionsPerCaller: 1 } });
    const session = await initialize(desk.url);
    expect(await takeOver(session, BOB)).toBe(200);
    expect(await attempt(ADA)).toBeInstanceOf(SessionClient);
    expect(await takeOver(session, BOB)).toBe(200);
    expect(await attempt(BOB)).toBeInstanceOf(SessionClient);
    expect(await takeOver(session, BOB)).toBe(404);
  });

  it('cannot be taken over by who has as many as may be, and stays as it was (HTTP-03, HTTP-10)', async () => {
    await boot({ sessions: { maxSessionsPerCaller: 1 } });
    const own = await initialize(desk.url, { headers: BOB });
    await keepBusy(own);
    const session = await initialize(desk.url);
    expect(await takeOver(session, BOB)).toBe(429);
    expect(await takeOver(session, {})).toBe(200);
    expect((await own.delete()).status).toBe(204);
    expect(await takeOver(session, BOB)).toBe(200);
    expect(await takeOver(session, {})).toBe(404);
  });

  it('knows who its latest request was from (AUTH-10)', async () => {
    await boot();
    const session = await initialize(desk.url);
    const ask = async (headers: object) =>
      textOf((await session.request('tools/call', { name: 'whose' }, { ...headers })).result ?? {});
    expect(await ask({})).toBe('undefined undefined');
    expect(await ask(BOB)).toBe('bob bob');
    expect(desk.app.get(McpNotifier).sessions[0]?.claims?.sub).toBe('bob');
  });
});
