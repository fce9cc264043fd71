import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Injectable, Module, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { McpModule, Skill, type McpContext, type SkillContents, type SkillSource } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../../support/applications/boot.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import { perRequest } from '../../../support/clients/json-rpc.js';

const FOLDER = new SkillFolder(
  { 'SKILL.md': describeSkill('returns'), 'terms.md': 'thirty days' },
  'returns',
);

@Injectable()
class Policy {
  readonly limit = 100;
}

@Injectable()
@Skill({
  description: 'Process refunds: "by policy".\nUse it.',
  prefix: 'acme/billing',
  frontmatter: { license: 'MIT', metadata: { version: '1.0', since: '2024-01-01', yes: 'true' } },
})
class RefundsSkill implements SkillSource {
  made = 0;

  constructor(private readonly policy: Policy) {}

  async contents(): Promise<SkillContents> {
    this.made += 1;
    return {
      instructions: 'Read limits first.',
      files: {
        'references/rate-limiting.md': String(this.policy.limit),
        'assets/logo.png': new Uint8Array([137, 80, 255]),
      },
    };
  }
}

@Injectable()
@Skill({ directory: FOLDER.path, prefix: 'acme' })
class ReturnsSkill {}

/** Refuses everybody who does not say so. */
class Doorkeeper implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return (
      context.getType<string>() === 'mcp' && context.switchToHttp().getRequest().headers['x-open'] === 'yes'
    );
  }
}

@Injectable()
class ReportSkills {
  @Skill({ description: 'Write the weekly report' })
  weeklyReport(): string {
    return 'Call the tool.';
  }

  @UseGuards(Doorkeeper)
  @Skill({ description: 'Tell what happens now', dynamic: true })
  liveStatus({ uri }: { uri: string }, { method }: McpContext): SkillContents {
    return { instructions: `${method} of ${uri}`, files: { 'data/now.json': '{}' } };
  }
}

@Injectable()
class AdminSkills {
  @Skill({ description: 'For administrators' })
  administration(): string {
    return 'Be careful.';
  }
}

@Module({
  imports: [McpModule.forFeature({ server: 'admin', providers: [AdminSkills] })],
  providers: [AdminSkills],
})
class AdminModule {}

@Injectable()
class TaggedSkills {
  @Skill({ description: 'For both', tags: ['daily'] })
  opening(): string {
    return 'Open.';
  }

  @Skill({ description: 'For administrators', tags: ['daily', 'internal'] })
  closing(): string {
    return 'Close.';
  }

  @Skill({ description: 'For nobody' })
  resting(): string {
    return 'Rest.';
  }
}

@Module({
  imports: [
    McpModule.forFeature({
      server: 'main',
      providers: [TaggedSkills],
      includeTags: ['daily'],
      excludeTags: ['internal'],
    }),
    McpModule.forFeature({ server: 'admin', providers: [TaggedSkills], includeTags: ['daily'] }),
  ],
  providers: [TaggedSkills],
})
class TaggedModule {}

const serverInfo = { name: 'desk', version: '1.0.0' };

afterAll(() => FOLDER.remove());

describe.each(ADAPTERS)('Skills of providers, on %s', (adapter) => {
  let app: RunningApp;
  let adminUrl: string;

  beforeAll(async () => {
    app = await bootApp({
      adapter,
      imports: [
        McpModule.forRoot({ serverInfo, isDefault: true }),
        McpModule.forRoot({ serverInfo, server: 'admin', mcpPath: '/admin' }),
        AdminModule,
      ],
      providers: [Policy, RefundsSkill, ReturnsSkill, ReportSkills],
    });
    adminUrl = app.url.replace(/\/mcp$/, '/admin');
  });

  afterAll(async () => {
    await app.close();
  });

  const ask = (method: string, params = {}, headers = {}) =>
    perRequest(app.url, { headers }).request(method, params);
  const get = async (uri: string) => (await ask('skills/get', { uri })).result?.['skill'];
  async function read(uri: string, headers = {}) {
    const { result } = await ask('resources/read', { uri }, headers);
    return entriesOf(result, 'contents')[0] as { text?: string; blob?: string };
  }

  it('are served without an option, each by the server that it belongs to (XTN-01)', async () => {
    const list = async (url: string) =>
      entriesOf((await perRequest(url).request('skills/list')).result, 'skills').map(({ uri }) => uri);
    expect(await list(app.url)).toEqual([
      'skill://acme/billing/refunds/SKILL.md',
      'skill://acme/returns/SKILL.md',
      'skill://weekly-report/SKILL.md',
      'skill://live-status/SKILL.md',
    ]);
    expect(await list(adminUrl)).toEqual(['skill://administration/SKILL.md']);
  });

  it('are made once by the method "contents" of a class, with its providers (XTN-01)', async () => {
    expect(await get('skill://acme/billing/refunds/SKILL.md')).toMatchObject({
      frontmatter: {
        name: 'refunds',
        description: 'Process refunds: "by policy".\nUse it.',
        license: 'MIT',
        metadata: { version: '1.0', since: '2024-01-01', yes: 'true' },
      },
      resources: [{ uri: 'skill://acme/billing/refunds/SKILL.md' }, { size: 3 }, { size: 3 }],
    });
    expect((await read('skill://acme/billing/refunds/references/rate-limiting.md')).text).toBe('100');
    expect((await read('skill://acme/billing/refunds/assets/logo.png')).blob).toBe('iVD/');
    expect(app.app.get(RefundsSkill).made).toBe(1);
  });

  it('have a SKILL.md that says what is listed, with the digest that is listed (XTN-01)', async () => {
    const uri = 'skill://acme/billing/refunds/SKILL.md';
    const { frontmatter, resources } = (await get(uri)) as {
      frontmatter: unknown;
      resources: { digest: string }[];
    };
    const { text = '' } = await read(uri);
    const [, head = '', body] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
    const { parse } = await import('yaml');
    expect(parse(head)).toEqual(frontmatter);
    expect(body).toBe('\nRead limits first.');
    expect(resources[0]?.digest).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
  });

  it('are a folder, if a class names one (XTN-01)', async () => {
    expect(await get('skill://acme/returns/SKILL.md')).toMatchObject({
      frontmatter: { name: 'returns' },
      resources: [
        { uri: 'skill://acme/returns/SKILL.md' },
        { uri: 'skill://acme/returns/terms.md', size: 11 },
      ],
    });
  });

  it('are made for each caller if they are dynamic, behind the guards of the method (XTN-01)', async () => {
    const uri = 'skill://live-status/SKILL.md';
    const open = { 'x-open': 'yes' };
    expect(await get(uri)).toEqual({
      uri,
      frontmatter: { name: 'live-status', description: 'Tell what happens now' },
      resources: 'dynamic',
    });
    expect((await read(uri, open)).text).toContain(`resources/read of ${uri}`);
    expect((await read('skill://live-status/data/now.json', open)).text).toBe('{}');
    expect((await ask('resources/read', { uri })).error).toBeDefined();
    const folder = await ask('resources/directory/read', { uri: 'skill://live-status/data' }, open);
    expect(entriesOf(folder.result, 'resources')).toEqual([
      { uri: 'skill://live-status/data/now.json', name: 'now.json', mimeType: 'application/json' },
    ]);
    expect((await ask('resources/directory/read', { uri: 'skill://live-status' })).error).toBeDefined();
  });
});

describe('Skills with tags', () => {
  it('are served by the servers whose filters take them, which show the tags (XTN-01)', async () => {
    const app = await bootApp({
      imports: [
        McpModule.forRoot({ serverInfo, server: 'main', isDefault: true }),
        McpModule.forRoot({ serverInfo, server: 'admin', mcpPath: '/admin' }),
        TaggedModule,
      ],
    });
    const list = async (url: string) => {
      const { result } = await perRequest(url).request('resources/list');
      return entriesOf(result, 'resources').map(({ name, _meta }) => [name, _meta]);
    };
    const tagged = (...tags: string[]) => ({ 'io.nestjs-mcp/tags': tags });
    expect(await list(app.url)).toEqual([['opening', tagged('daily')]]);
    expect(await list(app.url.replace(/\/mcp$/, '/admin'))).toEqual([
      ['opening', tagged('daily')],
      ['closing', tagged('daily', 'internal')],
    ]);
    await app.close();
  });
});
