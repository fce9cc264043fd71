import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { Public, RequireScope, Skill, type McpOptions } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import {
  bootDesk,
  CALLERS,
  PUBLISHED,
  WAYS,
  type Caller,
} from '../../../support/applications/protected-desk.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';

/** What the predicates go by. */
const shown = new Set<string>();

@Injectable()
class DeskSkills {
  @Public()
  @Skill({ description: 'Greet people' })
  welcome(): string {
    return 'Say hello.';
  }

  @RequireScope('desk:write')
  @Skill({ description: 'Close tickets' })
  closing() {
    return { instructions: 'See files/how.md', files: { 'files/how.md': 'Carefully.' } };
  }

  @Skill({ description: 'A secret', visible: ({ auth }) => shown.has(auth.claims?.sub ?? 'nobody') })
  secret() {
    return { instructions: 'Hush.', files: { 'files/key.txt': '42' } };
  }

  @RequireScope('desk:write')
  @Skill({ description: 'The state of the desk', prefix: 'live', dynamic: true })
  state(_args: object, { auth }: { auth: { claims?: { sub?: string } } }): string {
    return `You are ${auth.claims?.sub}.`;
  }
}

const FOLDERS = new SkillFolder({
  'open/greeting/SKILL.md': describeSkill('greeting'),
  'closed/refunds/SKILL.md': describeSkill('refunds'),
  'closed/refunds/fees.md': 'ten',
  'class/returns/SKILL.md': describeSkill('returns'),
});

@Injectable()
@RequireScope('desk:write')
@Skill({
  directory: FOLDERS.at('class/returns'),
  visible: ({ auth }) => !shown.has(`no returns: ${auth.claims?.sub}`),
})
class ReturnsSkill {}

const DIRECTORIES: NonNullable<McpOptions['skills']> = {
  directory: [
    { path: FOLDERS.at('open'), isPublic: true, prefix: 'shop/open' },
    { path: FOLDERS.at('closed'), requiredScopes: ['desk:write'], prefix: 'shop/closed' },
  ],
};

afterAll(() => FOLDERS.remove());

describe.each(WAYS)('Access to skills $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;
  let ada: Caller;
  let bob: Caller;
  let nobody: Caller;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS) },
      options: { skills: DIRECTORIES },
      providers: [DeskSkills, ReturnsSkill],
    });
    ada = await connect(desk.url, CALLERS.ada.token);
    bob = await connect(desk.url, CALLERS.bob.token);
    nobody = await connect(desk.url);
  });

  afterAll(() => desk.close());

  it.each([
    ['skills/get', 'skill://closing/SKILL.md'],
    ['skills/get', 'skill://live/state/SKILL.md'],
    ['skills/get', 'skill://shop/closed/refunds/SKILL.md'],
    ['skills/get', 'skill://returns/SKILL.md'],
    ['resources/read', 'skill://closing/SKILL.md'],
    ['resources/read', 'skill://closing/files/how.md'],
    ['resources/read', 'skill://shop/closed/refunds/fees.md'],
    ['resources/read', 'skill://live/state/SKILL.md'],
    ['resources/directory/read', 'skill://closing/files'],
    ['resources/directory/read', 'skill://shop/closed/refunds'],
    ['resources/directory/read', 'skill://live/state'],
  ])('by %s to %s needs the scope of the skill (XTN-01) (SCOPE-01)', async (method, uri) => {
    expect((await ada(method, { uri }).answer()).result).toBeDefined();
    const refused = await bob(method, { uri }).answer();
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('scope="desk:write"');
    expect((await nobody(method, { uri }).answer()).status).toBe(401);
  });

  it.each([
    ['skills/get', 'skill://welcome/SKILL.md'],
    ['skills/get', 'skill://shop/open/greeting/SKILL.md'],
    ['resources/read', 'skill://welcome/SKILL.md'],
    ['resources/directory/read', 'skill://shop/open/greeting'],
  ])('by %s to %s needs no token if the skill is public (XTN-01)', async (method, uri) => {
    expect((await nobody(method, { uri }).answer()).result).toBeDefined();
  });

  it('is told by the list to everybody, as that of tools is (XTN-01)', async () => {
    const uris = entriesOf(await nobody('skills/list').result(), 'skills').map(({ uri }) => uri);
    expect(uris).toContain('skill://closing/SKILL.md');
    expect(uris).toContain('skill://welcome/SKILL.md');
  });

  it.each([
    ['skills/get', 'skill://secret/SKILL.md'],
    ['resources/read', 'skill://secret/SKILL.md'],
    ['resources/read', 'skill://secret/files/key.txt'],
    ['resources/directory/read', 'skill://secret/files'],
    ['resources/directory/read', 'skill://secret'],
  ])('by %s to %s is had by those alone who see the skill (XTN-01)', async (method, uri) => {
    shown.clear();
    const hidden = await ada(method, { uri }).answer();
    const missing = await ada(method, { uri: uri.replace('secret', 'absent') }).answer();
    expect(hidden.status).toBe(missing.status);
    expect(hidden.error).toMatchObject({ code: missing.error?.code });
    expect(hidden.error?.message).toBe(missing.error?.message.replace('absent', 'secret'));
    shown.add('ada');
    expect((await ada(method, { uri }).answer()).result).toBeDefined();
    expect((await bob(method, { uri }).answer()).error?.code).toBe(missing.error?.code);
  });

  it('is not told to those who do not see a skill (XTN-01)', async () => {
    shown.clear();
    shown.add('ada');
    const list = async (caller: Caller) =>
      entriesOf(await caller('skills/list').result(), 'skills').map(({ uri }) => uri);
    expect(await list(ada)).toContain('skill://secret/SKILL.md');
    expect(await list(bob)).not.toContain('skill://secret/SKILL.md');
    expect(await list(bob)).toContain('skill://closing/SKILL.md');
  });

  it('goes by the predicate of a class with a folder (XTN-01)', async () => {
    shown.clear();
    shown.add('no returns: ada');
    const get = () => ada('skills/get', { uri: 'skill://returns/SKILL.md' }).answer();
    expect((await get()).error?.code).toBe(-32602);
    shown.clear();
    expect((await get()).result).toBeDefined();
  });

  it('makes a dynamic skill for each caller (XTN-01)', async () => {
    const [content] = entriesOf(
      await ada('resources/read', { uri: 'skill://live/state/SKILL.md' }).result(),
      'contents',
    );
    expect(content?.['text']).toContain('You are ada.');
  });
});

describe.each(WAYS)('Filtered lists of skills $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(CALLERS), filterLists: true },
      options: { skills: DIRECTORIES, pageSize: 2 },
      providers: [DeskSkills],
    });
  });

  afterAll(() => desk.close());

  it.each([
    [
      'ada',
      CALLERS.ada.token,
      ['shop/open/greeting', 'shop/closed/refunds', 'welcome', 'closing', 'live/state'],
    ],
    ['bob', CALLERS.bob.token, ['shop/open/greeting', 'welcome']],
    ['nobody', undefined, ['shop/open/greeting', 'welcome']],
  ])('have for %s what that caller may read, page by page (XTN-01)', async (_name, token, paths) => {
    shown.clear();
    const caller = await connect(desk.url, token);
    const uris: unknown[] = [];
    let cursor: unknown;
    do {
      const result = await caller('skills/list', cursor === undefined ? {} : { cursor }).result();
      uris.push(...entriesOf(result, 'skills').map(({ uri }) => uri));
      cursor = result['nextCursor'];
    } while (cursor !== undefined);
    expect(uris).toEqual(paths.map((path) => `skill://${path}/SKILL.md`));
  });

  it('have the folders on the way to what a caller may read, and no others (XTN-01)', async () => {
    const list = async (token: string) => {
      const caller = await connect(desk.url, token);
      return entriesOf(
        await caller('resources/directory/read', { uri: 'skill://shop' }).result(),
        'resources',
      ).map(({ name }) => name);
    };
    expect(await list(CALLERS.ada.token)).toEqual(['closed', 'open']);
    expect(await list(CALLERS.bob.token)).toEqual(['open']);
  });
});
