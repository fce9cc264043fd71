import { afterEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import {
  RequireScope,
  Skill,
  type HandlerVisibility,
  type McpOptions,
  type VisibilityContext,
  type VisibleHandler,
} from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { bootDesk, CALLERS, PUBLISHED, WAYS } from '../../../support/applications/protected-desk.js';
import { describeSkill, SkillFolder } from '../../../support/applications/skill-folder.js';
import { entriesOf } from '../../../support/clients/entries.js';
import type { JsonObject } from '../../../support/clients/message.js';

const FILES = {
  'shop/SKILL.md': describeSkill('shop'),
  'shop/terms.md': 'terms',
  'shop/inner/prices/SKILL.md': describeSkill('prices'),
  'shop/inner/prices/margins.md': 'thirty',
  'shop/inner/prices/regional/eu.md': 'forty',
};
const SHOP = 'skill://shop';
const PRICES = `${SHOP}/inner/prices`;
const ALL = [
  `${SHOP}/SKILL.md`,
  `${PRICES}/SKILL.md`,
  `${PRICES}/margins.md`,
  `${PRICES}/regional/eu.md`,
  `${SHOP}/terms.md`,
];
const OWN = [`${SHOP}/SKILL.md`, `${SHOP}/terms.md`];

/** Shows the inner skill to Ada alone. */
const visibility: HandlerVisibility = {
  isVisible: ({ name }: VisibleHandler, { auth }: VisibilityContext) =>
    name !== 'prices' || auth.claims?.sub === 'ada',
};

let folder: SkillFolder;
let desk: RunningApp;

afterEach(async () => {
  await desk.close();
  folder.remove();
});

describe.each(WAYS)('A skill in the folder of another $wire on $adapter', ({ adapter, connect }) => {
  const boot = async (options: Partial<McpOptions>, providers: (new () => object)[] = []) => {
    const auth = { ...PUBLISHED, bearer: Object.values(CALLERS) };
    desk = await bootDesk(adapter, { auth, options, providers });
  };

  const ask = async (token: string, method: string, uri?: string) =>
    (await connect(desk.url, token))(method, uri === undefined ? {} : { uri });

  const urisOf = (skill: unknown) => entriesOf(skill as JsonObject, 'resources').map(({ uri }) => uri);

  const listed = async (token: string, uri = `${SHOP}/SKILL.md`) => {
    const skills = entriesOf(await (await ask(token, 'skills/list')).result(), 'skills');
    return urisOf(skills.find((skill) => skill['uri'] === uri));
  };

  const got = async (token: string) =>
    urisOf((await (await ask(token, 'skills/get', `${SHOP}/SKILL.md`)).result())['skill']);

  const names = async (token: string, uri: string) =>
    entriesOf(await (await ask(token, 'resources/directory/read', uri)).result(), 'resources').map(
      ({ name }) => name,
    );

  const codeOf = async (token: string, method: string, uri: string) =>
    (await (await ask(token, method, uri)).answer()).error?.code;

  const isThere = async (token: string, uri: string) =>
    (await codeOf(token, 'resources/read', uri)) !==
    (await codeOf(token, 'resources/read', `${SHOP}/absent`));

  it('is a part of it for those who see both, and for nobody else (XTN-01)', async () => {
    folder = new SkillFolder(FILES);
    await boot({ skills: { directory: folder.path }, catalog: { visibility } });
    const { ada, bob } = CALLERS;
    expect([await listed(ada.token), await got(ada.token)]).toEqual([ALL, ALL]);
    expect([await listed(bob.token), await got(bob.token)]).toEqual([OWN, OWN]);
    expect(await names(ada.token, `${SHOP}/inner`)).toEqual(['prices']);
    expect(await names(bob.token, `${SHOP}/inner`)).toEqual([]);
    expect(await names(bob.token, SHOP)).toEqual(await names(ada.token, SHOP));
    for (const uri of [PRICES, `${PRICES}/regional`]) {
      expect(await codeOf(bob.token, 'resources/directory/read', uri)).toBe(-32602);
      expect(await codeOf(ada.token, 'resources/directory/read', uri)).toBeUndefined();
    }
    expect(await isThere(bob.token, `${PRICES}/margins.md`)).toBe(false);
    expect([await listed(ada.token), await listed(bob.token)]).toEqual([ALL, OWN]);
  });

  it('is no part of it if its folder is given by itself, with who may read it (XTN-01)', async () => {
    folder = new SkillFolder(FILES);
    folder.write('shop/inner/prices/huge.bin', Buffer.alloc(16 * 1_048_576 - 2000));
    folder.write('shop/huge.bin', Buffer.alloc(16 * 1_048_576 - 2000));
    const inner = { path: folder.at('shop/inner/prices'), requiredScopes: ['desk:write'] };
    await boot({ skills: { directory: [folder.path, inner] } });
    const { ada, bob } = CALLERS;
    const own = [`${SHOP}/SKILL.md`, `${SHOP}/huge.bin`, `${SHOP}/terms.md`];
    expect([await listed(bob.token), await got(bob.token)]).toEqual([own, own]);
    expect(await names(bob.token, `${SHOP}/inner`)).toEqual([]);
    expect(await isThere(bob.token, `${PRICES}/margins.md`)).toBe(false);
    const read = async (token: string) =>
      (await (await ask(token, 'resources/read', 'skill://prices/margins.md')).answer()).status;
    expect([await read(ada.token), await read(bob.token)]).toEqual([200, 403]);
  });

  it('is no part of it if a class serves it (XTN-01)', async () => {
    folder = new SkillFolder(FILES);

    @Injectable()
    @RequireScope('desk:write')
    @Skill({ directory: folder.at('shop/inner/prices') })
    class Prices {}
    await boot({ skills: { directory: folder.path } }, [Prices]);
    expect(await listed(CALLERS.bob.token)).toEqual(OWN);
    expect(await isThere(CALLERS.bob.token, `${PRICES}/margins.md`)).toBe(false);
  });
});
