import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../../support/clients/json-rpc.js';

const LOGO = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const REFUNDS = `---
name: refunds
description: |
  Process refunds.
  Use when somebody asks for money back.
license: MIT
metadata:
  version: "1.0"
  since: 2024-01-01
allowed-tools: [refund, Bash(git:*)]
---

See [the letter](templates/letter.md).
`;
const FILES = {
  'acme/billing/refunds/SKILL.md': REFUNDS,
  'acme/billing/refunds/templates/letter.md': 'Dear {name}',
  'acme/billing/refunds/templates/regional/eu.md': 'Liebe(r) {name}',
  'acme/billing/refunds/assets/logo.png': LOGO,
  'acme/billing/refunds/assets/Größe & Form.txt': '\uFEFFmit BOM\r\n',
  'git-workflow/SKILL.md': describeSkill('git-workflow'),
  'git-workflow/release/SKILL.md': describeSkill('release'),
  'git-workflow/release/scripts/tag.sh': '#!/bin/sh\n',
  'README.md': 'no skill',
};

const sha256 = (content: string | Uint8Array) =>
  `sha256:${createHash('sha256').update(content).digest('hex')}`;
const describeFile = (path: string, content: string | Uint8Array) => ({
  uri: `skill://${path}`,
  digest: sha256(content),
  size: Buffer.byteLength(content),
});

describe.each(ADAPTERS)('Skills of a folder, on %s', (adapter) => {
  const folder = new SkillFolder(FILES);
  let server: RunningApp;

  beforeAll(async () => {
    server = await bootServer({ adapter, options: { skills: { directory: folder.path }, pageSize: 2 } });
  });

  afterAll(async () => {
    await server.close();
    folder.remove();
  });

  const ask = (method: string, params: JsonObject = {}) => perRequest(server.url).request(method, params);

  async function listAll(): Promise<Record<string, unknown>[]> {
    const skills: Record<string, unknown>[] = [];
    let cursor: unknown;
    do {
      const { result } = await ask('skills/list', cursor === undefined ? {} : { cursor });
      skills.push(...(result?.['skills'] as Record<string, unknown>[]));
      cursor = result?.['nextCursor'];
    } while (cursor !== undefined);
    return skills;
  }

  it('are listed with their frontmatter as it is written, and with every file, its size and its digest (XTN-01)', async () => {
    const root = 'acme/billing/refunds';
    const file = (path: string, content: string | Uint8Array) => describeFile(`${root}/${path}`, content);
    const [refunds] = await listAll();
    expect(refunds).toEqual({
      uri: 'skill://acme/billing/refunds/SKILL.md',
      frontmatter: {
        name: 'refunds',
        description: 'Process refunds.\nUse when somebody asks for money back.\n',
        license: 'MIT',
        metadata: { version: '1.0', since: '2024-01-01' },
        'allowed-tools': ['refund', 'Bash(git:*)'],
      },
      resources: [
        file('SKILL.md', REFUNDS),
        file('assets/Gr%C3%B6%C3%9Fe%20%26%20Form.txt', '\uFEFFmit BOM\r\n'),
        file('assets/logo.png', LOGO),
        file('templates/letter.md', 'Dear {name}'),
        file('templates/regional/eu.md', 'Liebe(r) {name}'),
      ],
    });
  });

  it('are listed flat and page by page, and a skill in another is a part of both (XTN-01)', async () => {
    const first = await ask('skills/list');
    expect(first.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    expect(first.result?.['skills']).toHaveLength(2);
    const skills = await listAll();
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://acme/billing/refunds/SKILL.md',
      'skill://git-workflow/SKILL.md',
      'skill://git-workflow/release/SKILL.md',
    ]);
    const uris = entriesOf(skills[1], 'resources').map(({ uri }) => uri);
    expect(uris).toEqual([
      'skill://git-workflow/SKILL.md',
      'skill://git-workflow/release/SKILL.md',
      'skill://git-workflow/release/scripts/tag.sh',
    ]);
  });

  it.each(HANDSHAKE_VERSIONS)(
    'are declared and listed in sessions of %s, without members that it lacks (XTN-01)',
    async (version) => {
      const session = await initialize(server.url, { version });
      const capabilities = session.result['capabilities'] as Record<string, unknown>;
      expect(capabilities['extensions']).toEqual({
        'io.modelcontextprotocol/skills': { directoryRead: true },
      });
      expect(capabilities['resources']).toBeDefined();
      const { result } = await session.request('skills/list');
      expect(Object.keys(result ?? {}).toSorted()).toEqual(['nextCursor', 'skills']);
      const got = await session.request('skills/get', { uri: 'skill://git-workflow/SKILL.md' });
      expect(Object.keys(got.result ?? {})).toEqual(['skill']);
    },
  );

  it('are got one by one, as they are listed (XTN-01)', async () => {
    const listed = await listAll();
    for (const skill of listed) {
      const { result } = await ask('skills/get', { uri: skill['uri'] });
      expect(result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
      expect(result?.['skill']).toEqual(skill);
      expect(result).not.toHaveProperty('nextCursor');
    }
  });

  it.each([
    ['a skill that there is not', 'skill://nothing/SKILL.md'],
    ['a file of a skill', 'skill://acme/billing/refunds/templates/letter.md'],
    ['a folder of a skill', 'skill://git-workflow'],
    ['a file in no skill', 'skill://README.md'],
    ['a longer way to a skill', 'skill://git-workflow/../git-workflow/SKILL.md'],
    ['nothing at all', ''],
  ])('are not got by the URI of %s: -32602 (XTN-01)', async (_case, uri) => {
    const session = await initialize(server.url);
    expect((await ask('skills/get', { uri })).error?.code).toBe(-32602);
    expect((await session.request('skills/get', { uri })).error?.code).toBe(-32602);
  });

  it('are among the resources by their SKILL.md, named and described as it says (XTN-01)', async () => {
    const { result } = await ask('resources/list');
    expect(result?.['resources']).toEqual([
      {
        uri: 'skill://acme/billing/refunds/SKILL.md',
        name: 'refunds',
        description: 'Process refunds.\nUse when somebody asks for money back.\n',
        mimeType: 'text/markdown',
      },
      expect.objectContaining({ uri: 'skill://git-workflow/SKILL.md', name: 'git-workflow' }),
    ]);
  });

  it('are read byte by byte as their digests say, whatever is in the files (XTN-01)', async () => {
    for (const skill of await listAll()) {
      for (const { uri, digest, size } of skill['resources'] as {
        uri: string;
        digest: string;
        size: number;
      }[]) {
        const { result } = await ask('resources/read', { uri });
        const [content] = entriesOf(result, 'contents') as { text?: string; blob?: string; uri?: string }[];
        const bytes = Buffer.from(
          content?.text ?? content?.blob ?? '',
          content?.text === undefined ? 'base64' : 'utf8',
        );
        expect(content?.uri).toBe(uri);
        expect([sha256(bytes), bytes.byteLength]).toEqual([digest, size]);
      }
    }
  });

  it('are read as text where they are, with the type of each file (XTN-01)', async () => {
    const read = async (path: string) => {
      const { result } = await ask('resources/read', { uri: `skill://${path}` });
      return entriesOf(result, 'contents')[0];
    };
    expect(await read('git-workflow/SKILL.md')).toMatchObject({
      mimeType: 'text/markdown',
      text: FILES['git-workflow/SKILL.md'],
    });
    expect(await read('git-workflow/release/scripts/tag.sh')).toMatchObject({
      mimeType: 'application/x-sh',
      text: '#!/bin/sh\n',
    });
    expect(await read('acme/billing/refunds/assets/logo.png')).toMatchObject({
      mimeType: 'image/png',
      blob: LOGO.toString('base64'),
    });
  });

  it.each([
    'skill://git-workflow/nothing.md',
    'skill://git-workflow/release',
    'skill://git-workflow/../../secret',
    'skill://git-workflow/%2e%2e/README.md',
    'skill://git-workflow/release/..%2F..%2F..%2FREADME.md',
    'skill://git-workflow//SKILL.md',
    'skill://README.md',
  ])('have no file %s (XTN-01)', async (uri) => {
    expect((await ask('resources/read', { uri })).error?.code).toBe(-32602);
  });
});
