import { beforeEach, describe, expect, it } from '@jest/globals';
import { ExtensionHandles } from '../../../../lib/server/dispatch/mcp-extensions.js';
import type { ExtensionHandle } from '../../../../lib/server/dispatch/extension.interface.js';
import { HostedCalls } from '../../../../lib/server/dispatch/hosted-calls.js';
import type { OpenObject } from '../../../../lib/core/protocol/capabilities.js';
import { Sealer } from '../../../../lib/core/sealing/sealer.js';
import { SessionRegistry } from '../../../../lib/server/sessions/session-registry.js';
import { STANDALONE_STREAM } from '../../../../lib/server/sessions/streams/stream-records.js';
import type { Session } from '../../../../lib/server/sessions/session.js';
import { createPublisher } from '../../support/notifications.js';
import { CHALLENGES } from '../../support/caller.js';
import { TestDispatch } from '../../support/dispatch.js';
import { getRevision, NEWEST_HANDSHAKE, openSession } from '../../support/requests.js';
import { buildSettings } from '../../support/settings.js';

const ID = 'com.example/reports';

describe('ExtensionHandles', () => {
  let dispatch: TestDispatch;
  let outlets: ExtensionHandles;
  let handle: ExtensionHandle;

  beforeEach(() => {
    dispatch = new TestDispatch([]);
    const calls = new HostedCalls(dispatch.dispatcher, CHALLENGES);
    outlets = new ExtensionHandles(createPublisher({ registry: dispatch.sessions }), calls, new Sealer());
    handle = outlets.create({ id: ID, specVersion: '1', stability: 'stable' });
  });

  /** Opens a session and keeps what it is told. */
  function listen(extensions: Readonly<Record<string, OpenObject>> = {}): {
    session: Session;
    heard: string[];
  } {
    const session = openSession(dispatch.sessions, { capabilities: { extensions } });
    const heard: string[] = [];
    session.streams.open(STANDALONE_STREAM).subscribe(({ message }) => void heard.push(message.json));
    return { session, heard };
  }

  it('tells every session that declared the extension, or the one that is named among them (EXT-03)', () => {
    const [one, two, none] = [listen({ [ID]: {} }), listen({ [ID]: {} }), listen({ other: {} })];
    handle.notify('notifications/reports', { week: 1 });
    handle.notify('notifications/reports', { week: 2 }, two.session.id);
    handle.notify('notifications/reports', { week: 3 }, none.session.id);
    handle.notify('notifications/reports', { week: 4 }, 'nothing');
    expect([one.heard.length, two.heard.length, none.heard.length]).toEqual([1, 2, 0]);
    expect(JSON.parse(two.heard[1] ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/reports',
      params: { week: 2 },
    });
  });

  it('tells nobody who declared no extension at all (EXT-03)', () => {
    openSession(dispatch.sessions, { capabilities: {} });
    expect(() => handle.notify('notifications/reports')).not.toThrow();
  });

  it.each([null, true, 7, 'all', [ID]])(
    'tells the others where one session’s extensions are %j (EXT-03) (SESS-04) (NOTE-02)',
    (extensions) => {
      const before = listen({ [ID]: {} });
      const { heard } = listen(extensions as never);
      const after = listen({ [ID]: {} });
      expect(() => handle.notify('notifications/reports')).not.toThrow();
      expect([before.heard.length, heard.length, after.heard.length]).toEqual([1, 0, 1]);
    },
  );

  it('calls a tool in a client’s place (EXT-03)', async () => {
    const origin = { revision: getRevision(NEWEST_HANDSHAKE), client: { capabilities: {} } };
    const host = { notify: () => undefined, ask: () => Promise.resolve({}) };
    await expect(handle.callTool({ params: { name: 'none' }, origin }, host).outcome).resolves.toMatchObject({
      error: { code: -32601 },
    });
  });

  it('is declared by no name that objects have of themselves (EXT-03)', () => {
    const own = outlets.create({ id: 'toString', specVersion: '1', stability: 'stable' });
    const { heard } = listen();
    own.notify('notifications/reports');
    expect(heard).toEqual([]);
  });

  it('tells one session whatever it declared, and none that is gone (EXT-03) (CAP-02)', () => {
    const { session, heard } = listen();
    handle.notifySession(session.id, 'notifications/reports', { week: 1 });
    handle.notifySession('nothing', 'notifications/reports');
    expect(heard).toHaveLength(1);
  });

  it('takes over no session of another process to tell it something (EXT-03) (SESS-05)', () => {
    const sealer = new Sealer();
    const settings = buildSettings({ sessions: { recover: true } });
    const [here, elsewhere] = [new SessionRegistry(settings, sealer), new SessionRegistry(settings, sealer)];
    const { id } = openSession(elsewhere, { capabilities: { extensions: { [ID]: {} } } });
    const calls = new HostedCalls(dispatch.dispatcher, CHALLENGES);
    handle = new ExtensionHandles(createPublisher({ registry: here }), calls, sealer).create({
      id: ID,
      specVersion: '1',
      stability: 'stable',
    });
    handle.notifySession(id, 'notifications/reports');
    handle.notify('notifications/reports', {}, id);
    expect([...here.all()]).toEqual([]);
    expect(here.findOrRecover(id)?.id).toBe(id);
  });

  it('opens what it sealed, and nothing of another extension (EXT-03)', () => {
    const other = outlets.create({ id: 'com.example/other', specVersion: '1', stability: 'stable' });
    for (const value of [1, 'text', null, { deep: [1] }]) {
      expect(handle.verify(handle.sign(value))).toEqual(value);
      expect(other.verify(handle.sign(value))).toBeUndefined();
    }
    expect(handle.verify('nonsense')).toBeUndefined();
  });
});
