import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, perRequest, type SessionClient } from '../../support/clients/json-rpc.js';
import { metaKey, type JsonObject } from '../../support/clients/message.js';

const CHARTS = 'com.example/charts';
const MAPS = 'com.example/maps';

@Injectable()
class CapabilitiesTool {
  @Tool({ description: 'Says what the client can do' })
  capabilities(_: object, context: McpContext) {
    context.progress(1);
    return {
      capabilities: context.client.capabilities,
      charts: context.hasExtension(CHARTS),
      maps: context.hasExtension(MAPS),
      inherited: context.hasExtension('toString') || context.hasExtension('__proto__'),
    };
  }
}

describe.each(ADAPTERS)('the capabilities of one request on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [CapabilitiesTool] });
  });

  afterAll(() => desk.close());

  /** Calls in a session with capabilities for this request alone. */
  async function ask(session: SessionClient, declared?: unknown): Promise<JsonObject> {
    const meta = declared === undefined ? {} : { _meta: { [metaKey('clientCapabilities')]: declared } };
    const { result } = await session.request('tools/call', { name: 'capabilities', ...meta });
    return result?.['structuredContent'] as JsonObject;
  }

  it('are added to those of the session (CAP-01)', async () => {
    const session = await initialize(desk.url, {
      capabilities: { roots: { listChanged: true }, extensions: { [CHARTS]: { colors: 2 } } },
    });
    const { capabilities } = await ask(session, {
      sampling: {},
      extensions: { [MAPS]: {}, [CHARTS]: { axes: 3 } },
    });
    expect(capabilities).toEqual({
      roots: { listChanged: true },
      sampling: {},
      extensions: { [CHARTS]: { colors: 2, axes: 3 }, [MAPS]: {} },
    });
  });

  it.each([
    {},
    { roots: { listChanged: false }, extensions: {} },
    { roots: null, extensions: null },
    null,
    'none',
    [],
  ])('revoke nothing of the session: %j (CAP-01)', async (declared) => {
    const declarations = { roots: { listChanged: true }, extensions: { [CHARTS]: {} } };
    const session = await initialize(desk.url, { capabilities: declarations });
    const answer = await ask(session, declared);
    expect(answer).toMatchObject({ capabilities: declarations, charts: true });
  });

  it('count for that request alone (CAP-01)', async () => {
    const session = await initialize(desk.url, { capabilities: { roots: {} } });
    const answers = await Promise.all([
      ask(session, { extensions: { [CHARTS]: {} } }),
      ask(session),
      ask(session, { extensions: { [MAPS]: {} } }),
    ]);
    expect(answers.map(({ charts, maps }) => [charts, maps])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect((await ask(session))['capabilities']).toEqual({ roots: {} });
  });

  it('are all there is on the stateless wire (CAP-01)', async () => {
    const client = perRequest(desk.url);
    const call = async (capabilities: JsonObject) => {
      const { result } = await client.request('tools/call', { name: 'capabilities' }, { capabilities });
      return result?.['structuredContent'] as JsonObject;
    };
    expect(await call({ sampling: {}, extensions: { [CHARTS]: {} } })).toMatchObject({
      capabilities: { sampling: {}, extensions: { [CHARTS]: {} } },
      charts: true,
    });
    expect(await call({})).toMatchObject({ capabilities: {}, charts: false });
  });

  it('change nothing of what the session is sent unasked (CAP-02)', async () => {
    const notifier = desk.app.get(McpNotifier);
    const session = await initialize(desk.url);
    const stream = await session.openStream();
    await ask(session, { prompts: { listChanged: true }, extensions: { [CHARTS]: {} } });
    notifier.promptsListChanged();
    notifier.toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    expect(stream.messages).toHaveLength(1);

    const view = notifier.sessions.find(({ id }) => id === session.id);
    expect(view?.client.capabilities).toEqual({});
    await stream.close();
  });

  it('leave what belongs to the request to its own terms (CAP-02)', async () => {
    const session = await initialize(desk.url);
    const _meta = { [metaKey('clientCapabilities')]: {}, progressToken: 'p' };
    const answer = await session.request('tools/call', { name: 'capabilities', _meta });
    expect(answer.notifications.map(({ params }) => params)).toEqual([{ progressToken: 'p', progress: 1 }]);
  });

  it('pass the check of an extension where the session or the request names it (CAP-03)', async () => {
    const session = await initialize(desk.url, { capabilities: { extensions: { [CHARTS]: {} } } });
    expect(await ask(session)).toMatchObject({ charts: true, maps: false });
    expect(await ask(session, { extensions: { [MAPS]: {} } })).toMatchObject({ charts: true, maps: true });
    const bare = await initialize(desk.url);
    expect(await ask(bare)).toMatchObject({ charts: false, maps: false });
    expect(await ask(bare, { extensions: { [MAPS]: {} } })).toMatchObject({ charts: false, maps: true });
  });

  it('pass no check of what is only inherited (CAP-03)', async () => {
    const session = await initialize(desk.url, { capabilities: { extensions: {} } });
    expect(await ask(session, { extensions: {} })).toMatchObject({ inherited: false });
  });
});
