import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  PromptsListMethod,
  ResourcesListMethod,
  ResourcesTemplatesListMethod,
  ToolsListMethod,
} from '../../../../../lib/server/methods/lists/list.methods.js';
import { formatCursor } from '../../../../../lib/core/protocol/cursor.js';
import { McpError } from '../../../../../lib/core/protocol/mcp.error.js';
import { MetaKey } from '../../../../../lib/core/protocol/meta-keys.js';
import type { SerializedResult } from '../../../../../lib/core/protocol/outbound-message.js';
import { REVISIONS } from '../../../../../lib/core/protocol/revisions.js';
import { TestCatalog } from '../../../support/catalog.js';
import { buildContext, buildPeer, type Json } from '../../../support/requests.js';
import { buildSettings, SERVER_INFO } from '../../../support/settings.js';

interface ListMethod {
  handle(context: ReturnType<typeof buildContext>): SerializedResult | Promise<SerializedResult>;
}

const read = (method: ListMethod, cursor?: unknown, version?: string): SerializedResult =>
  method.handle(
    buildContext('x/list', { peer: buildPeer(version), params: cursor === undefined ? {} : { cursor } }),
  ) as SerializedResult;

const parse = (result: SerializedResult) => JSON.parse(result.json) as Json;
const namesOf = (result: Json, member: string) => (result[member] as Json[]).map(({ name }) => name);

/** Follows the cursors to the end. */
function readAll(method: ListMethod, member: string): unknown[] {
  const names: unknown[] = [];
  for (let cursor: unknown, round = 0; round < 100; round++) {
    const page = parse(read(method, cursor));
    names.push(...namesOf(page, member));
    cursor = page['nextCursor'];
    if (cursor === undefined) return names;
  }
  throw new Error('The list has no end');
}

describe('The lists (MCP server/utilities/pagination)', () => {
  let catalog: TestCatalog;

  beforeEach(() => {
    catalog = new TestCatalog();
  });

  function addTools(...names: string[]): void {
    for (const name of names) catalog.entries.tools.add({ name }, () => name);
  }

  const listTools = (pageSize?: number) =>
    new ToolsListMethod(
      catalog.tools,
      buildSettings(pageSize === undefined ? {} : { pageSize }),
      catalog.visibility,
    );

  it.each(['tools', 'prompts', 'resources', 'resourceTemplates'] as const)(
    'gives %s in the order in which they were declared, page by page (CORE-04)',
    (list) => {
      const names = Array.from({ length: 7 }, (_, index) => `entry-${7 - index}`);
      for (const name of names) {
        catalog.entries.tools.add({ name }, () => name);
        catalog.entries.prompts.add({ name }, () => name);
        catalog.entries.resources.add({ name, uri: `desk://${name}` }, () => name);
        catalog.entries.resourceTemplates.add({ name, uriTemplate: `desk://${name}/{id}` }, () => name);
      }
      for (const pageSize of [1, 2, 3, 6, 7, 8, 1000]) {
        const settings = buildSettings({ pageSize });
        const methods = {
          tools: new ToolsListMethod(catalog.tools, settings, catalog.visibility),
          prompts: new PromptsListMethod(catalog.prompts, settings, catalog.visibility),
          resources: new ResourcesListMethod(catalog.resources, settings, catalog.visibility),
          resourceTemplates: new ResourcesTemplatesListMethod(
            catalog.templates,
            settings,
            catalog.visibility,
          ),
        };
        expect(readAll(methods[list], list)).toEqual(names);
      }
    },
  );

  it('is an empty list where there is nothing (CORE-04)', () => {
    expect(parse(read(listTools(), undefined, '2025-11-25'))).toEqual({ tools: [] });
  });

  it('goes on behind the last entry that was shown, whatever changed (CORE-04)', () => {
    addTools('a', 'b', 'c', 'd', 'e');
    const method = listTools(2);
    const first = parse(read(method));
    catalog.entries.tools.remove('a');
    catalog.entries.tools.remove('c');
    addTools('f');
    const second = parse(read(method, first['nextCursor']));
    const third = parse(read(method, second['nextCursor']));
    expect([first, second, third].map((page) => namesOf(page, 'tools'))).toEqual([
      ['a', 'b'],
      ['d', 'e'],
      ['f'],
    ]);
  });

  it.each([null, 7, '', 'x', {}, formatCursor('prompts', 1), `${formatCursor('tools', 1)}=`])(
    'answers the cursor %j with -32602 (CORE-04)',
    (cursor) => {
      addTools('a', 'b');
      expect(() => read(listTools(1), cursor)).toThrow(McpError);
      expect(() => read(listTools(1), cursor)).toThrow(/"nextCursor" unchanged/);
    },
  );

  it('is serialized when it changes, not when it is asked for (CORE-04)', () => {
    addTools('a', 'b', 'c');
    const method = listTools(2);
    const first = read(method);
    const second = read(method, parse(first)['nextCursor']);
    expect([read(method), read(method, parse(first)['nextCursor'])]).toEqual([first, second]);
    expect(read(method)).toBe(first);
    expect(read(method, parse(first)['nextCursor'])).toBe(second);

    catalog.entries.tools.update('a', { description: 'A' });
    expect(read(method)).not.toBe(first);
    expect(parse(read(method))['tools']).toMatchObject([{ name: 'a', description: 'A' }, { name: 'b' }]);
  });

  it('keeps what is asked for again, though somebody asks for pages at odd places (CORE-04)', () => {
    addTools('a', 'b', 'c');
    const method = listTools(1);
    const first = read(method);
    const cursor = parse(first)['nextCursor'];
    for (let round = 0; round < 3; round += 1) {
      const second = read(method, cursor);
      for (let place = 0; place < 60; place += 1) {
        read(method, formatCursor('tools', 1000 * (round + 1) + place));
      }
      expect(read(method, cursor)).toBe(second);
    }
    expect(read(method)).toBe(first);
  });

  it('is kept for each revision by itself (VER-03)', () => {
    catalog.entries.tools.add({ name: 'a', title: 'A' }, () => 'x');
    const method = listTools();
    const results = REVISIONS.map(({ version }) => read(method, undefined, version));
    expect(new Set(results).size).toBe(REVISIONS.length);
    expect(results.map((result) => JSON.stringify(parse(result)).includes('title'))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ]);
    expect(REVISIONS.map(({ version }) => read(method, undefined, version))).toEqual(results);
  });

  it('keeps no more pages than a bounded number, and the first one always (SAFE-01)', () => {
    addTools('a', 'b');
    const method = listTools(1);
    const first = read(method);
    const odd = Array.from({ length: 1000 }, (_, after) => formatCursor('tools', after + 1000));
    const pages = odd.map((cursor) => [cursor, read(method, cursor)] as const);
    for (const [, page] of pages) expect(parse(page)['tools']).toEqual([]);
    // The latest first: each that is made anew takes the place of another.
    const kept = pages.toReversed().filter(([cursor, page]) => read(method, cursor) === page);
    expect(kept).toHaveLength(64);
    expect(read(method)).toBe(first);
  });

  it('says on the stateless wire how long it may be kept, and of which server it is (VER-05)', () => {
    const cache = { tools: { ttlMs: 60_000, scope: 'public' as const } };
    const method = new ToolsListMethod(catalog.tools, buildSettings({ cache }), catalog.visibility);
    expect(parse(read(method))).toEqual({
      tools: [],
      ttlMs: 60_000,
      cacheScope: 'public',
      resultType: 'complete',
      _meta: { [MetaKey.serverInfo]: SERVER_INFO },
    });
    expect(parse(read(listTools()))).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });
});
