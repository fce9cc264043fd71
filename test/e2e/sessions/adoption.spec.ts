import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { Injectable, Module, type BeforeApplicationShutdown, type Type } from '@nestjs/common';
import { McpModule, McpNotifier, Tool, type McpContext, type SessionOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { Gate } from '../../support/applications/gate.js';
import { initialize, SessionClient } from '../../support/clients/json-rpc.js';

const SECRET = 'the secret that both processes were given';

@Injectable()
class Desk {
  @Tool()
  whoami(_arguments: object, { client, session }: McpContext): string {
    return `${client.info?.name} ${session?.revision.version} ${Object.keys(client.capabilities).join()}`;
  }
}

interface Process {
  readonly adapter?: AdapterName;
  readonly secret?: string | readonly string[];
  readonly sessions?: SessionOptions;
  /** Modules that the one of the server does not come after. */
  readonly imports?: Type[];
}

function start({
  adapter = 'express',
  secret = SECRET,
  sessions = { recover: true },
  imports = [],
}: Process = {}) {
  return bootServer({
    adapter,
    // Global modules are shut down last.
    options: { secret, sessions, isGlobal: imports.length === 0 },
    imports,
    providers: [Desk],
  });
}

/** The same client, on the process that took the place of the first. */
function moveTo(server: RunningApp, { handshake }: SessionClient): SessionClient {
  return new SessionClient(server.url, handshake, {});
}

/** Runs a conversation that begins with one process and goes on with another. */
async function restart(
  processes: readonly [Process, Process],
  talk: (session: SessionClient, second: RunningApp) => Promise<void>,
): Promise<void> {
  const first = await start(processes[0]);
  const session = await initialize(first.url, { version: '2025-06-18', capabilities: { roots: {} } });
  await first.close();
  const second = await start(processes[1]);
  try {
    await talk(moveTo(second, session), second);
  } finally {
    await second.close();
  }
}

describe.each(ADAPTERS)('A session after its server was restarted, on %s', (adapter) => {
  it('goes on with what its handshake settled (SESS-05)', async () => {
    await restart([{ adapter }, { adapter }], async (session) => {
      const answer = await session.request('tools/call', { name: 'whoami' });
      expect(answer.result).toMatchObject({ content: [{ text: 'e2e 2025-06-18 roots' }] });
    });
  });

  it('is unknown where sessions are not adopted (SESS-05) (HTTP-03)', async () => {
    await restart([{ adapter }, { adapter, sessions: {} }], async (session) => {
      expect(await session.request('tools/list')).toMatchObject({ status: 404 });
    });
  });

  it('is live, and hears of changes on its new stream (SESS-05)', async () => {
    await restart([{ adapter }, { adapter }], async (session, second) => {
      const stream = await session.openStream();
      second.app.get(McpNotifier).toolsListChanged();
      expect(await stream.nextNotification('notifications/tools/list_changed')).toBeDefined();
      await stream.close();
    });
  });
});

describe('A sealed session id', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('is unknown to a process with another secret (SESS-05)', async () => {
    const other = { secret: 'a secret that the first process did not have' };
    await restart([{}, other], async (session) => {
      expect(await session.request('tools/list')).toMatchObject({ status: 404 });
    });
  });

  it('is unknown to another server that has the same secret (SESS-05)', async () => {
    const forRoot = (server: string) =>
      McpModule.forRoot({
        server,
        mcpPath: `/${server}`,
        serverInfo: { name: server, version: '1' },
        secret: SECRET,
        sessions: { recover: true },
      });
    const desk = McpModule.forFeature({ server: 'desk', providers: [Desk] });
    const { origin, close } = await bootApp({
      imports: [forRoot('desk'), forRoot('shop'), desk],
      providers: [Desk],
    });
    const { handshake } = await initialize(`${origin}/desk`);
    const strayed = new SessionClient(`${origin}/shop`, handshake, {});
    expect(await strayed.request('ping')).toMatchObject({ status: 404 });
    expect(await new SessionClient(`${origin}/desk`, handshake, {}).request('ping')).toMatchObject({
      status: 200,
    });
    await close();
  });

  it('is taken while its secret is being replaced (SESS-05)', async () => {
    const next = { secret: ['the secret that is used from today on', SECRET] };
    await restart([{}, next], async (session) => {
      expect(await session.request('tools/list')).toMatchObject({ status: 200 });
    });
  });

  it('is unknown when a single character was changed (SESS-05)', async () => {
    await restart([{}, {}], async (session) => {
      const at = 8;
      const forged = `${session.id.slice(0, at)}${session.id[at] === 'A' ? 'B' : 'A'}${session.id.slice(at + 1)}`;
      const answer = await session.request('tools/list', {}, { 'mcp-session-id': forged });
      expect(answer).toMatchObject({ status: 404 });
    });
  });

  it('is unknown after its lifetime (SESS-05)', async () => {
    const lifetimeMs = 60_000;
    await restart([{ sessions: { recover: true, lifetimeMs } }, {}], async (session) => {
      jest.spyOn(Date, 'now').mockReturnValue(Date.now() + lifetimeMs);
      expect(await session.request('tools/list')).toMatchObject({ status: 404 });
    });
  });

  it('stays unknown to the process that ended its session (SESS-05) (HTTP-05)', async () => {
    const server = await start();
    const session = await initialize(server.url);
    await session.delete();
    expect(await session.request('tools/list')).toMatchObject({ status: 404 });
    await server.close();
  });

  it('begins new streams, whose ids are not those of the streams before (SESS-05) (HTTP-04)', async () => {
    const first = await start();
    const session = await initialize(first.url);
    const lost = await session.openStream();
    first.app.get(McpNotifier).toolsListChanged();
    await lost.nextNotification('notifications/tools/list_changed');
    await first.close();
    const second = await start();
    const adopted = moveTo(second, session);
    const stream = await adopted.openStream({ lastEventId: lost.lastEventId });
    second.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    const [streamBefore, streamNow] = [lost, stream].map(({ lastEventId }) => lastEventId?.split(':')[0]);
    expect(streamNow).not.toBe(streamBefore);
    await stream.close();
    const resumed = await adopted.openStream({ lastEventId: stream.lastEventId });
    second.app.get(McpNotifier).log('error', 'last');
    await resumed.nextNotification('notifications/message');
    expect(resumed.messages).toHaveLength(1);
    await resumed.close();
    await second.close();
  });

  it('takes up no event of another process, in that which opened the session either (SESS-05) (HTTP-04)', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    const session = await initialize(first.url);
    const elsewhere = await moveTo(second, session).openStream();
    second.app.get(McpNotifier).toolsListChanged();
    await elsewhere.nextNotification('notifications/tools/list_changed');
    await elsewhere.close();
    const back = await session.openStream({ lastEventId: elsewhere.lastEventId });
    first.app.get(McpNotifier).toolsListChanged();
    expect(await back.nextNotification('notifications/tools/list_changed')).toBeDefined();
    await back.close();
    await Promise.all([first.close(), second.close()]);
  });

  it('opens no stream at a process that has ended its own (SESS-05) (MOD-12)', async () => {
    const first = await start();
    const session = await initialize(first.url);
    const gate = new Gate();
    const second = await start({ imports: [createSlowlyEnding(gate)] });
    const closing = second.close();
    await gate.reached();
    const headers = { accept: 'text/event-stream', 'mcp-session-id': session.id };
    const response = await fetch(second.url, { headers });
    await response.body?.cancel();
    gate.open();
    await Promise.all([closing, first.close()]);
    expect(response.status).toBe(503);
  });
});

/** A module that is shut down after the one of the server: it stands deeper, and takes as long as a gate is closed. */
function createSlowlyEnding(gate: Gate): Type {
  @Module({})
  class Innermost implements BeforeApplicationShutdown {
    beforeApplicationShutdown(): Promise<void> {
      return gate.pass();
    }
  }
  let module: Type = Innermost;
  for (let depth = 0; depth < 5; depth += 1) module = wrap(module);
  return module;
}

function wrap(inner: Type): Type {
  @Module({ imports: [inner] })
  class Outer {}
  return Outer;
}
