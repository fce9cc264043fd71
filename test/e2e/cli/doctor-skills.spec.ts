import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpCatalog, McpExtensions } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { describeSkill, SkillFolder } from '../../support/applications/skill-folder.js';
import { examineEndpoint } from '../../support/examine-endpoint.js';

const BODY = describeSkill('refunds');
const URI = 'skill://refunds/SKILL.md';
const RESOURCE = {
  uri: URI,
  digest: `sha256:${createHash('sha256').update(BODY).digest('hex')}`,
  size: Buffer.byteLength(BODY),
};
const ENTRY = {
  uri: URI,
  frontmatter: { name: 'refunds', description: 'What refunds is for' },
  resources: [RESOURCE],
};

/** Builds a server that lists what it is told to list. */
function forge(skills: unknown) {
  @Injectable()
  class Forger implements OnModuleInit {
    constructor(
      private readonly extensions: McpExtensions,
      private readonly catalog: McpCatalog,
    ) {}

    onModuleInit(): void {
      this.catalog.resources.add({ uri: URI, name: 'refunds' }, () => BODY);
      this.extensions.register({
        id: 'io.modelcontextprotocol/skills',
        published: {},
        methods: [{ method: 'skills/list', requiresDeclaration: false, handle: () => ({ skills }) }],
      });
    }
  }
  return Forger;
}

describe('"doctor" and skills', () => {
  let server: RunningApp;

  afterEach(() => server.close());

  async function findSkills() {
    const findings = await examineEndpoint(server.url, { timeoutMs: 10_000 });
    return findings.filter(({ id }) => id.startsWith('skill'));
  }

  it.each(ADAPTERS.flatMap((adapter) => [true, false].map((stateless) => ({ adapter, stateless }))))(
    'finds those of a folder healthy, with $adapter and stateless $stateless (XTN-01) (KIT-03)',
    async ({ adapter, stateless }) => {
      const folder = new SkillFolder({
        'refunds/SKILL.md': BODY,
        'refunds/a b.png': Buffer.from([137, 255]),
      });
      server = await bootServer({ adapter, options: { stateless, skills: { directory: folder.path } } });
      expect(await findSkills()).toEqual([
        { id: 'skills', status: 'ok', found: 'Hosts can load everything that is listed: 1 skill', fix: '' },
        {
          id: 'skill-files',
          status: 'ok',
          found: 'The files match their listing: 2 files compared',
          fix: '',
        },
      ]);
      folder.remove();
    },
  );

  it('says nothing of a server that has none (XTN-01)', async () => {
    server = await bootServer();
    expect(await findSkills()).toEqual([]);
  });

  it.each<[string, unknown, object]>([
    ['no list', 'none', { id: 'skills', found: '"skills/list" returns no list of skills' }],
    [
      'an entry without resources',
      [{ ...ENTRY, resources: undefined }],
      { id: 'skills', found: expect.stringContaining('"resources" must be an array') },
    ],
    [
      'another size',
      [{ ...ENTRY, resources: [{ ...RESOURCE, size: 1 }] }],
      { id: 'skill-files', found: expect.stringContaining('but is listed with 1') },
    ],
    [
      'another digest',
      [{ ...ENTRY, resources: [{ ...RESOURCE, digest: `sha256:${'0'.repeat(64)}` }] }],
      { id: 'skill-files', found: expect.stringContaining('has a different digest') },
    ],
    [
      'other frontmatter',
      [{ ...ENTRY, frontmatter: { name: 'refunds', description: 'x' } }],
      { id: 'skill-files', found: expect.stringContaining('has different frontmatter') },
    ],
  ])('tells of %s (XTN-01) (KIT-03)', async (_case, skills, finding) => {
    server = await bootServer({ providers: [forge(skills)] });
    expect(await findSkills()).toContainEqual(expect.objectContaining({ status: 'error', ...finding }));
  });

  it('warns of two of one name, and of one that is too large (XTN-01) (KIT-03)', async () => {
    const other = { ...ENTRY, uri: 'skill://other/refunds/SKILL.md', resources: 'dynamic' };
    server = await bootServer({ providers: [forge([ENTRY, other])] });
    expect(await findSkills()).toContainEqual(
      expect.objectContaining({
        id: 'skills',
        status: 'warning',
        found: 'Two skills have the name "refunds"',
      }),
    );
    await server.close();
    server = await bootServer({
      providers: [forge([{ ...ENTRY, resources: [{ ...RESOURCE, size: 17_000_000 }] }])],
    });
    expect(await findSkills()).toContainEqual(
      expect.objectContaining({
        id: 'skills',
        status: 'warning',
        found: expect.stringContaining('is too large'),
      }),
    );
  });
});
