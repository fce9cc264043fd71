import { afterEach, describe, expect, it } from '@jest/globals';
import { McpNotifier } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootRelease, type Release } from '../../support/applications/released-desk.js';
import type { EventStream } from '../../support/clients/event-stream.js';
import { initialize, SessionClient } from '../../support/clients/json-rpc.js';
import { listChanges } from '../../support/clients/list-changes.js';

describe('A session that is adopted by another release', () => {
  const ends: (() => Promise<unknown>)[] = [];

  async function boot(release: Release): Promise<RunningApp> {
    const app = await bootRelease(release);
    ends.push(() => app.close());
    return app;
  }

  const moveTo = ({ url }: RunningApp, { handshake }: SessionClient) => new SessionClient(url, handshake, {});

  /** Returns which lists a stream told of until something came that was said at the end. */
  async function readChanges({ app }: RunningApp, stream: EventStream): Promise<readonly string[]> {
    app.get(McpNotifier).log('error', 'the end');
    await stream.nextNotification('notifications/message');
    return listChanges(stream);
  }

  async function open(session: SessionClient): Promise<EventStream> {
    const stream = await session.openStream();
    ends.push(() => stream.close());
    return stream;
  }

  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  it.each([
    ['former', 'next', ['tools']],
    ['former', 'with other prompts and resources', ['prompts', 'resources']],
    ['next', 'with other prompts and resources', ['tools', 'prompts', 'resources']],
    ['next', 'next', []],
  ] as const)('hears which lists of "%s" differ in "%s", once (RELAY-16)', async (before, after, changed) => {
    const session = await initialize((await boot(before)).url);
    const second = await boot(after);
    const moved = moveTo(second, session);
    const stream = await open(moved);
    for (let count = 0; count < 3; count += 1) await moved.request('tools/list');
    expect(await readChanges(second, stream)).toEqual(changed);
  });

  it('hears of it on the stream that it opens after its first request (RELAY-16)', async () => {
    const session = await initialize((await boot('former')).url);
    const second = await boot('next');
    const moved = moveTo(second, session);
    expect(await moved.request('tools/list')).toMatchObject({ status: 200 });
    expect(await readChanges(second, await open(moved))).toEqual(['tools']);
  });

  it('hears of it once if its requests alternate between two releases (RELAY-16)', async () => {
    const first = await boot('former');
    const second = await boot('next');
    const session = await initialize(first.url);
    const moved = moveTo(second, session);
    const streams = [await open(session), await open(moved)] as const;
    for (let count = 0; count < 5; count += 1) {
      for (const client of [session, moved]) await client.request('tools/list');
    }
    expect(await readChanges(first, streams[0])).toEqual([]);
    expect(await readChanges(second, streams[1])).toEqual(['tools']);
  });
});
