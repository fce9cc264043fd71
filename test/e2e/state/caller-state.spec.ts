import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '../../support/applications/boot.js';
import {
  beginNotes,
  CallScope,
  InjectedNotebook,
  note,
  Notebook,
  readNote,
} from '../../support/applications/notebook.js';
import {
  authorize,
  bootDesk,
  CALLERS,
  WAYS,
  type Caller,
} from '../../support/applications/protected-desk.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { publishedClient } from '../../support/clients/task-wires.js';
import { until } from '../../support/until.js';

const TASK_META = { 'io.nestjs-mcp/state': 'none' };

describe.each(WAYS)('State of callers $wire on $adapter', ({ adapter, connect, wire }) => {
  let desk: RunningApp;
  let ada: Caller;
  let bob: Caller;
  let stranger: Caller;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      options: { tasks: true, state: { valueBytes: 1000, maxBytes: 4000 } },
      providers: [Notebook, InjectedNotebook, CallScope],
    });
    [ada, bob, stranger] = await Promise.all([
      connect(desk.url, CALLERS.ada.token),
      connect(desk.url, CALLERS.bob.token),
      connect(desk.url),
    ]);
  });

  afterAll(() => desk.close());

  const ask = async (
    caller: Caller,
    action: string,
    more: JsonObject = {},
    tool = 'note',
  ): Promise<unknown> =>
    readNote(await caller('tools/call', { name: tool, arguments: { action, ...more } }).result());

  it('outlives calls, for each caller apart (XTN-08)', async () => {
    expect(await ask(ada, 'get')).toBeNull();
    await ask(ada, 'set', { value: { of: ['ada', 7, null, { deep: true }] } });
    expect(await ask(ada, 'get')).toEqual({ of: ['ada', 7, null, { deep: true }] });
    expect(await ask(ada, 'has')).toBe(true);
    expect(await ask(bob, 'get')).toBeNull();
    expect(await ask(bob, 'has')).toBe(false);
    await ask(bob, 'set', { value: 'of bob' });
    expect(await ask(ada, 'get')).toMatchObject({ of: expect.anything() });
    expect(await ask(ada, 'delete')).toBe(true);
    expect(await ask(ada, 'delete')).toBe(false);
    expect(await ask(ada, 'get')).toBeNull();
    expect(await ask(bob, 'get')).toBe('of bob');
  });

  it('is the same in every way in which a caller comes (XTN-08)', async () => {
    await ask(ada, 'set', { key: 'shared', value: 'seen' });
    const again = await connect(desk.url, CALLERS.ada.token);
    expect(await ask(again, 'get', { key: 'shared' })).toBe('seen');
    const session = await initialize(desk.url, { headers: authorize(CALLERS.ada.token) });
    const other = perRequest(desk.url, { headers: authorize(CALLERS.ada.token) });
    expect(await note(other, 'get', { key: 'shared' })).toBe('seen');
    expect(await ask((...call) => session.start(...call), 'get', { key: 'shared' })).toBe('seen');
  });

  it('reaches what is injected for a call (XTN-08)', async () => {
    await ask(ada, 'set', { key: 'injected', value: 1 }, 'injected');
    expect(await ask(ada, 'get', { key: 'injected' }, 'injected')).toBe(1);
    expect(await ask(ada, 'get', { key: 'injected' })).toBe(1);
    expect(await ask(bob, 'get', { key: 'injected' }, 'injected')).toBeNull();
  });

  it('reaches resources and prompts (XTN-08)', async () => {
    await ask(ada, 'set', { value: 'for all handlers' });
    const read = await ada('resources/read', { uri: 'note://notes' }).result();
    expect(read).toMatchObject({ contents: [{ text: '"for all handlers"' }] });
    const got = await ada('prompts/get', { name: 'recall' }).result();
    expect(got).toMatchObject({ messages: [{ content: { text: '"for all handlers"' } }] });
    expect(await bob('resources/read', { uri: 'note://notes' }).result()).not.toMatchObject(read);
    await ask(ada, 'delete');
  });

  it('ends in time (XTN-08)', async () => {
    await ask(ada, 'set', { key: 'short', value: 'soon gone', ttlMs: 1 });
    await until(async () => (await ask(ada, 'has', { key: 'short' })) === false, 'the end of the value');
    await ask(ada, 'set', { key: 'short', value: 'long', ttlMs: 60_000 });
    expect(await ask(ada, 'get', { key: 'short' })).toBe('long');
  });

  it('loses no change of many that are made at once (XTN-08)', async () => {
    const values = Array.from({ length: 20 }, (_, value) => value);
    await Promise.all(values.map((value) => ask(ada, 'append', { key: 'list', value })));
    const list = (await ask(ada, 'get', { key: 'list' })) as number[];
    expect(list.toSorted((one, other) => one - other)).toEqual(values);
  });

  it.each(['__proto__', 'constructor', 'schlüssel', 'with space', '🔑', '"', 'x'.repeat(256)])(
    'takes %j for a key like any other (XTN-08)',
    async (key) => {
      expect(await ask(bob, 'get', { key })).toBeNull();
      await ask(bob, 'set', { key, value: key });
      expect(await ask(bob, 'get', { key })).toBe(key);
      expect(await ask(bob, 'delete', { key })).toBe(true);
    },
  );

  it.each([
    ['no key', { key: '', value: 1 }, 'invalid'],
    ['a key that is too long', { key: 'x'.repeat(257), value: 1 }, 'invalid'],
    ['nothing', {}, 'invalid'],
    ['no time', { value: 1, ttlMs: 0 }, 'invalid'],
    ['a time that is past', { value: 1, ttlMs: -5 }, 'invalid'],
    ['an endless time', { value: 1, ttlMs: 1e300 }, 'invalid'],
    ['a value that is too long', { value: 'x'.repeat(1000) }, 'too_large'],
    ['characters that take more bytes', { value: 'ü'.repeat(501) }, 'too_large'],
  ])('refuses %s, and keeps what there is (XTN-08)', async (_, given, code) => {
    await ask(bob, 'set', { value: 'before' });
    expect(await ask(bob, 'set', given)).toBe(code);
    expect(await ask(bob, 'get')).toBe('before');
  });

  it('has no more bytes than it may, of many small values too (XTN-08)', async () => {
    const eve = await connect(desk.url, CALLERS.eve.token);
    const codes: unknown[] = [];
    for (let count = 0; count < 150; count += 1)
      codes.push(await ask(eve, 'set', { key: `k${count}`, value: 1 }));
    expect(codes[0]).toBeNull();
    expect(codes.at(-1)).toBe('too_large');
    expect(await ask(eve, 'get', { key: 'k0' })).toBe(1);
    await ask(eve, 'delete', { key: 'k0' });
    expect(await ask(eve, 'set', { key: 'last', value: 1 })).toBeNull();
  });

  it('of callers without a token is that of a session, or of a handle (XTN-08)', async () => {
    const hasSession = wire === 'in a session';
    const { structuredContent } = await stranger('tools/call', { name: 'begin' }).result();
    const { handle, isKnown } = structuredContent as JsonObject;
    expect(isKnown).toBe(hasSession);
    expect(await ask(stranger, 'set', { value: 'of a stranger' })).toBe(hasSession ? null : 'unknown_caller');
    const another = await connect(desk.url);
    expect(await ask(another, 'get')).toBe(hasSession ? null : 'unknown_caller');
    await ask(stranger, 'set', { handle, value: 'behind the handle' });
    expect(await ask(another, 'get', { handle })).toBe('behind the handle');
  });
});

describe('A handle', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk('express', { options: { tasks: true }, providers: [Notebook] });
  });

  afterAll(() => desk.close());

  const clientOf = (caller?: keyof typeof CALLERS) =>
    perRequest(desk.url, { headers: authorize(caller && CALLERS[caller].token) });

  it('leads to state of its own, beside that of the caller (XTN-08)', async () => {
    const ada = clientOf('ada');
    const [one, other] = [await beginNotes(ada), await beginNotes(ada)];
    expect(one).not.toBe(other);
    await note(ada, 'set', { handle: one, value: 'one' });
    await note(ada, 'set', { value: 'own' });
    expect(await note(ada, 'get', { handle: one })).toBe('one');
    expect(await note(ada, 'get', { handle: other })).toBeNull();
    expect(await note(ada, 'get')).toBe('own');
  });

  it('is taken from the metadata of a request too (XTN-08)', async () => {
    const stranger = clientOf();
    const meta = { 'io.nestjs-mcp/state': await beginNotes(stranger) };
    await note(stranger, 'set', { value: 'by metadata' }, meta);
    expect(await note(stranger, 'get', {}, meta)).toBe('by metadata');
    expect(await note(stranger, 'get', { handle: meta['io.nestjs-mcp/state'] })).toBe('by metadata');
    expect(await note(stranger, 'get', {}, TASK_META)).toBe('unknown_handle');
    expect(await note(stranger, 'get', {}, { 'io.nestjs-mcp/state': 7 })).toBe('unknown_handle');
  });

  it('of a caller with a token is nobody else’s (XTN-08)', async () => {
    const handle = await beginNotes(clientOf('ada'));
    await note(clientOf('ada'), 'set', { handle, value: 'of ada' });
    for (const other of [clientOf('bob'), clientOf()]) {
      expect(await note(other, 'get', { handle })).toBe('unknown_handle');
      expect(await note(other, 'set', { handle, value: 'stolen' })).toBe('unknown_handle');
    }
    expect(await note(clientOf('ada'), 'get', { handle })).toBe('of ada');
  });

  it('that was given without a token is still good after a login (XTN-08)', async () => {
    const handle = await beginNotes(clientOf());
    await note(clientOf(), 'set', { handle, value: 'before' });
    expect(await note(clientOf('ada'), 'get', { handle })).toBe('before');
  });

  it.each(['', 'x', 'a'.repeat(66), `${'a'.repeat(22)}.${'a'.repeat(43)}`, 'x'.repeat(100_000)])(
    'that nobody gave is none (XTN-08)',
    async (handle) => {
      expect(await note(clientOf(), 'get', { handle })).toBe('unknown_handle');
    },
  );

  it('whose id or signature was changed is none (XTN-08)', async () => {
    const handle = await beginNotes(clientOf());
    for (const index of [0, 10, 30, 60]) {
      const changed = `${handle.slice(0, index)}${handle[index] === 'A' ? 'B' : 'A'}${handle.slice(index + 1)}`;
      expect(await note(clientOf(), 'get', { handle: changed })).toBe('unknown_handle');
    }
  });

  it('of another server is none, though the secret is the same (XTN-08)', async () => {
    const secret = 'one secret for both of the servers';
    const [one, other] = await Promise.all(
      ['/one', '/other'].map((mcpPath) =>
        bootDesk('express', {
          path: mcpPath,
          options: { tasks: true, secret, mcpPath },
          providers: [Notebook],
        }),
      ),
    );
    const handle = await beginNotes(perRequest(one!.url));
    expect(await note(perRequest(one!.url), 'get', { handle })).toBeNull();
    expect(await note(perRequest(other!.url), 'get', { handle })).toBe('unknown_handle');
    await Promise.all([one!.close(), other!.close()]);
  });

  it('leads tasks to the state that calls have (XTN-08)', async () => {
    const tasks = publishedClient(desk.url, { headers: authorize(CALLERS.ada.token) });
    const { taskId } = await tasks.create('note', { action: 'set', key: 'task', value: 'by a task' });
    await tasks.reach(taskId);
    expect(await note(clientOf('ada'), 'get', { key: 'task' })).toBe('by a task');
    expect(await note(clientOf('bob'), 'get', { key: 'task' })).toBeNull();
  });
});
