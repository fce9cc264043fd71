import { afterEach, describe, expect, it } from '@jest/globals';
import type { McpOptions } from 'nestjs-mcp';
import { McpStats } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { beginNotes, note, Notebook } from '../../support/applications/notebook.js';
import { authorize, bootDesk, CALLERS } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';

describe('The memory of state', () => {
  let desk: RunningApp;

  afterEach(() => desk.close());

  async function boot(options: Partial<McpOptions>): Promise<void> {
    desk = await bootDesk('express', { options: { tasks: true, ...options }, providers: [Notebook] });
  }

  const clientOf = (caller?: keyof typeof CALLERS) =>
    perRequest(desk.url, { headers: authorize(caller && CALLERS[caller].token) });

  it('has the handle that was not used for longest make room for another of the same caller (XTN-08)', async () => {
    await boot({ state: { maxHandles: 2 } });
    const ada = clientOf('ada');
    const handles = [await beginNotes(ada), await beginNotes(ada), await beginNotes(ada)] as const;
    await note(ada, 'set', { value: 'own' });
    await note(ada, 'set', { handle: handles[0], value: 0 });
    await note(ada, 'set', { handle: handles[1], value: 1 });
    const bobs = await beginNotes(clientOf('bob'));
    await note(clientOf('bob'), 'set', { handle: bobs, value: 'of bob' });
    expect(await note(ada, 'get', { handle: handles[0] })).toBe(0);
    await note(ada, 'set', { handle: handles[2], value: 2 });
    expect(await Promise.all(handles.map((handle) => note(ada, 'get', { handle })))).toEqual([0, null, 2]);
    expect(await note(ada, 'get')).toBe('own');
    expect(await note(clientOf('bob'), 'get', { handle: bobs })).toBe('of bob');
  });

  it('has strangers make room for strangers alone (XTN-08)', async () => {
    await boot({ state: { maxAnonymousHandles: 3 } });
    await note(clientOf('ada'), 'set', { value: 'of ada' });
    const handles: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      const handle = await beginNotes(clientOf());
      await note(clientOf(), 'set', { handle, value: count });
      handles.push(handle);
    }
    const kept = await Promise.all(handles.map((handle) => note(clientOf(), 'get', { handle })));
    expect(kept).toEqual([null, null, 2, 3, 4]);
    expect(await note(clientOf('ada'), 'get')).toBe('of ada');
  });

  it('is counted, and given back when values go (XTN-08)', async () => {
    await boot({});
    const read = () => desk.app.get(McpStats).read().memoryBytes.used;
    const before = read();
    await note(clientOf('ada'), 'set', { value: 'x'.repeat(10_000) });
    expect(read() - before).toBeGreaterThan(10_000);
    await note(clientOf('ada'), 'delete');
    expect(read()).toBe(before);
  });

  it('is never filled by strangers, who lose theirs when others need it (XTN-08)', async () => {
    const maxAnonymousBytes = 9 * 1_048_576;
    const maxBytes = 4 * maxAnonymousBytes;
    await boot({ memory: { maxBytes, maxAnonymousBytes } });
    await note(clientOf('ada'), 'set', { value: 'of ada' });
    const handles: string[] = [];
    for (let count = 0; count < 320; count += 1) {
      const handle = await beginNotes(clientOf());
      expect(await note(clientOf(), 'set', { handle, value: 'x'.repeat(16_000) })).toBeNull();
      handles.push(handle);
    }
    expect(desk.app.get(McpStats).read().memoryBytes.used).toBeLessThanOrEqual(maxAnonymousBytes + 65_536);
    expect(await note(clientOf(), 'get', { handle: handles[0] })).toBeNull();
    expect(await note(clientOf(), 'get', { handle: handles.at(-1) })).not.toBeNull();
    expect(await note(clientOf('ada'), 'get')).toBe('of ada');
  });
});
