import { describe, expect, it } from '@jest/globals';
import { MethodTable } from '../../../../lib/server/dispatch/method-table.js';
import type { McpMethod } from '../../../../lib/server/methods/mcp-method.interface.js';
import { getRevision, NEWEST_HANDSHAKE, STATELESS } from '../../support/requests.js';

const HANDSHAKE = getRevision(NEWEST_HANDSHAKE);
const PER_REQUEST = getRevision(STATELESS);

const methodOf = (method: string): McpMethod => ({ method, handle: async () => ({}) });

describe('MethodTable', () => {
  it('finds a method where the revision has it (CORE-03)', () => {
    const initialize = methodOf('initialize');
    const table = new MethodTable([initialize]);
    expect(table.find('initialize', HANDSHAKE)).toBe(initialize);
    expect(table.find('initialize', PER_REQUEST)).toBeUndefined();
    expect(table.find('tools/call', HANDSHAKE)).toBeUndefined();
    expect([table.has('initialize'), table.has('tools/call')]).toEqual([true, false]);
  });

  it.each([
    ['both kinds', undefined, [true, true]],
    ['the kind with a handshake', ['handshake'], [true, false]],
    ['the kind without', ['perRequest'], [false, true]],
    ['none', [], [false, false]],
  ] as const)('finds an added method in revisions of %s (EXT-03)', (_kinds, revisions, found) => {
    const added = methodOf('com.example/run');
    const table = new MethodTable([]);
    table.add(added, { revisions });
    expect([HANDSHAKE, PER_REQUEST].map((revision) => table.find(added.method, revision) === added)).toEqual(
      found,
    );
    expect(table.has(added.method)).toBe(true);
  });

  it('adds a method to both kinds where it is not told (EXT-03)', () => {
    const added = methodOf('com.example/run');
    const table = new MethodTable([]);
    table.add(added);
    expect([table.find(added.method, HANDSHAKE), table.find(added.method, PER_REQUEST)]).toEqual([
      added,
      added,
    ]);
  });

  it("lets none that is added stand for a revision's own (EXT-03)", () => {
    const table = new MethodTable([]);
    table.add(methodOf('tools/call'));
    expect(table.find('tools/call', HANDSHAKE)).toBeUndefined();
  });

  it('knows the parameter that the header "Mcp-Name" repeats, where there is one (EXT-03)', () => {
    const table = new MethodTable([]);
    table.add(methodOf('com.example/run'), { mcpNameParam: 'job' });
    table.add(methodOf('com.example/list'));
    expect([...table.names]).toEqual([['com.example/run', 'job']]);
  });
});
