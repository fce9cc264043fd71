import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { McpNotifier, type SessionOptions } from 'nestjs-mcp';
import { ADAPTERS, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize, SessionClient } from '../../support/clients/json-rpc.js';

const HOUR_MS = 3_600_000;

/** Processes that share a secret, with sessions that fall silent no sooner than they end. */
function start(adapter: AdapterName, sessions: SessionOptions): Promise<RunningApp> {
  return bootServer({
    adapter,
    options: {
      capabilities: { tools: true },
      secret: 'the secret that all processes were given',
      sessions: { recover: true, idleTimeoutMs: 100 * HOUR_MS, ...sessions },
    },
  });
}

const moveTo = ({ url }: RunningApp, { handshake }: SessionClient) => new SessionClient(url, handshake, {});

describe.each(ADAPTERS)('The absolute end of a session, on %s', (adapter) => {
  const processes: RunningApp[] = [];

  afterEach(async () => {
    jest.restoreAllMocks();
    for (const process of processes.splice(0)) await process.close();
  });

  async function boot(sessions: SessionOptions): Promise<RunningApp> {
    const process = await start(adapter, sessions);
    processes.push(process);
    return process;
  }

  /** Sets the clock that ends sessions, and gives what moves it. */
  function holdClock(): (hours: number) => void {
    const beginning = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(beginning);
    return (hours) => void clock.mockReturnValue(beginning + hours * HOUR_MS);
  }

  it('is that of its handshake, however late and wherever it is adopted (SESS-05)', async () => {
    const [first, second, third] = [
      await boot({ lifetimeMs: 4 * HOUR_MS }),
      await boot({ lifetimeMs: 24 * HOUR_MS }),
      await boot({ lifetimeMs: 24 * HOUR_MS }),
    ];
    const moveClock = holdClock();
    const session = await initialize(first.url);
    moveClock(1);
    const adopted = moveTo(second, session);
    expect((await adopted.request('ping')).status).toBe(200);
    moveClock(3.9);
    expect((await adopted.request('ping')).status).toBe(200);
    expect((await moveTo(third, session).request('ping')).status).toBe(200);
    moveClock(4);
    for (const process of [first, second, third]) {
      expect((await moveTo(process, session).request('ping')).status).toBe(404);
    }
  });

  it('is not put off by the process that adopts it, nor brought forward (SESS-05)', async () => {
    const [first, second] = [await boot({ lifetimeMs: 4 * HOUR_MS }), await boot({ lifetimeMs: HOUR_MS })];
    const moveClock = holdClock();
    const adopted = moveTo(second, await initialize(first.url));
    expect((await adopted.request('ping')).status).toBe(200);
    moveClock(3.9);
    expect((await adopted.request('ping')).status).toBe(200);
    expect((await initialize(second.url)).id).not.toBe('');
    moveClock(4);
    expect((await adopted.request('ping')).status).toBe(404);
  });

  it('comes where it was not adopted, too (SESS-05)', async () => {
    const first = await boot({ recover: false, lifetimeMs: 4 * HOUR_MS });
    const moveClock = holdClock();
    const session = await initialize(first.url);
    moveClock(3.9);
    expect((await session.request('ping')).status).toBe(200);
    moveClock(4);
    expect((await session.request('ping')).status).toBe(404);
    expect((await (await initialize(first.url)).request('ping')).status).toBe(200);
  });

  it('closes the streams of a session that was adopted (SESS-05) (HTTP-05)', async () => {
    const [first, second] = [
      await boot({ lifetimeMs: 4 * HOUR_MS }),
      await boot({ lifetimeMs: 24 * HOUR_MS, idleTimeoutMs: 200 }),
    ];
    const moveClock = holdClock();
    const adopted = moveTo(second, await initialize(first.url));
    const stream = await adopted.openStream();
    second.app.get(McpNotifier).toolsListChanged();
    await stream.nextNotification('notifications/tools/list_changed');
    moveClock(4);
    await stream.ended;
    expect(second.app.get(McpNotifier).sessions).toEqual([]);
  });
});
