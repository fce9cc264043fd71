import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { initialize, perRequest } from '../../../support/clients/json-rpc.js';

describe.each(ADAPTERS)('Folders of skills, on %s', (adapter) => {
  const folder = new SkillFolder({
    'acme/billing/refunds/SKILL.md': describeSkill('refunds'),
    'acme/billing/refunds/templates/a b.md': 'A',
    'acme/billing/refunds/templates/c.json': '{}',
    'acme/billing/refunds/templates/regional/eu.md': 'EU',
    'acme/support/tickets/SKILL.md': describeSkill('tickets'),
  });
  mkdirSync(folder.at('acme/billing/refunds/empty'));
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({ adapter, options: { skills: { directory: folder.path }, pageSize: 2 } });
  });

  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  const read = (uri: unknown, cursor?: unknown) =>
    perRequest(server.url).request('resources/directory/read', {
      uri,
      ...(cursor !== undefined && { cursor }),
    });

  async function list(uri: string): Promise<unknown[]> {
    const children: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await read(uri, cursor);
      children.push(...(result?.['resources'] as unknown[]));
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    return children;
  }

  it('tell their direct children: files with their types, folders as folders (XTN-01)', async () => {
    const root = 'skill://acme/billing/refunds';
    expect(await list(root)).toEqual([
      {
        uri: `${root}/SKILL.md`,
        name: 'refunds',
        description: 'What refunds is for',
        mimeType: 'text/markdown',
      },
      { uri: `${root}/empty`, name: 'empty', mimeType: 'inode/directory' },
      { uri: `${root}/templates`, name: 'templates', mimeType: 'inode/directory' },
    ]);
    expect(await list(`${root}/templates`)).toEqual([
      { uri: `${root}/templates/a%20b.md`, name: 'a b.md', mimeType: 'text/markdown' },
      { uri: `${root}/templates/c.json`, name: 'c.json', mimeType: 'application/json' },
      { uri: `${root}/templates/regional`, name: 'regional', mimeType: 'inode/directory' },
    ]);
  });

  it('come page by page, and may be empty (XTN-01)', async () => {
    const { result } = await read('skill://acme/billing/refunds');
    expect(result).toMatchObject({ resultType: 'complete', nextCursor: expect.any(String) });
    expect(result?.['resources']).toHaveLength(2);
    expect(await list('skill://acme/billing/refunds/empty')).toEqual([]);
  });

  it('are there on the way to skills too (XTN-01)', async () => {
    expect(await list('skill://acme')).toEqual([
      { uri: 'skill://acme/billing', name: 'billing', mimeType: 'inode/directory' },
      { uri: 'skill://acme/support', name: 'support', mimeType: 'inode/directory' },
    ]);
  });

  it.each([
    ['a file', 'skill://acme/billing/refunds/SKILL.md'],
    ['a folder with a slash behind it', 'skill://acme/billing/refunds/'],
    ['a part of a name', 'skill://acme/bill'],
    ['what is not there', 'skill://acme/billing/refunds/nothing'],
    ['a way out', 'skill://acme/billing/refunds/..'],
    ['another scheme', 'file:///etc'],
    ['half a scheme', 'skill:/'],
    ['a scheme', 'skill://'],
    ['a number', 7],
    ['nothing', undefined],
  ])('are not %s: -32602 (XTN-01)', async (_case, uri) => {
    expect((await read(uri)).error?.code).toBe(-32602);
    const session = await initialize(server.url);
    expect((await session.request('resources/directory/read', { uri })).error?.code).toBe(-32602);
  });

  it('refuse a cursor of another list (XTN-01)', async () => {
    const { error } = await read('skill://acme', 'bm90aGluZw');
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('"cursor"') });
  });
});
